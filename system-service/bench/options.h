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
    // run, age: the folder to be measured or aged.
    std::string folder = "/data/local/tmp";
    // run
    std::string matrix = "quick";  // or a job file: JobFilePath()
    unsigned repeat = 5;
    std::string fio;     // "" is fio in PATH
    std::string output;  // "" is standard output
    // age
    uint64_t until_free_bytes = 0;  // always given: what it writes until then is much
    uint64_t churn = 0;             // random 4 KiB writes in what is then left
    bool keep = false;
    // compare
    std::vector<std::string> results;
};

// The command line of storekeeper_bench, without the program's name.
android::base::Result<BenchOptions> ParseBenchOptions(const std::vector<std::string>& arguments);

// Where the matrix stands: the one of that name that is installed, unless it has a '/' or ends in
// ".fio" and so is a path itself.
std::string JobFilePath(const std::string& matrix);

// "300M", "2G", "4096": a number with k, m, g, t, in either case, for powers of 1024.
android::base::Result<uint64_t> ParseBenchSize(const std::string& text);

}  // namespace storekeeper
