// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>
#include <vector>

namespace storekeeper {

struct BenchOptions {
    enum class Verb { kHelp, kRun, kAge, kCompare };

    Verb verb = Verb::kHelp;
    bool json = false;
    // run, age: the folder to measure or to age.
    std::string folder = "/data/local/tmp";
    // run
    std::string matrix = "quick";  // name, or path of a job file: see JobFilePath()
    unsigned repeat = 5;
    std::string fio;     // "" is fio in PATH
    std::string output;  // "" is standard output
    // age
    uint64_t until_free_bytes = 0;  // required, since ageing writes so much
    uint64_t churn = 0;             // random writes of one page in the space that is left
    bool keep = false;
    // compare
    std::vector<std::string> results;
};

// Parses the command line of storekeeper_bench, without the program's name.
android::base::Result<BenchOptions> ParseBenchOptions(const std::vector<std::string>& arguments);

// The path of the matrix. A name with a '/' or ending in ".fio" is a path itself; another name is
// an installed matrix.
std::string JobFilePath(const std::string& matrix);

// Parses a size, "300M", "2G" or "4096": a number with k, m, g or t, in either case, for powers of
// 1024.
android::base::Result<uint64_t> ParseBenchSize(const std::string& text);

}  // namespace storekeeper
