// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace storekeeper {

// The file that jobs use in the benchmark's folder; they may name no other.
inline constexpr char kBenchDataName[] = "storekeeper_bench.data";

// The name of the copy in figures. No job may have it.
inline constexpr char kCopyName[] = "copy-files";

// The greatest length of a job file, in bytes.
inline constexpr size_t kMaxJobFile = 64 * 1024;

// One job of a job file, with the options of the [global] section included.
struct BenchJob {
    std::string name;
    std::map<std::string, std::string> options;
    uint64_t size_bytes = 0;  // the option "size"

    // The option's value; "" if it is not set.
    std::string Get(const std::string& option) const;
    bool IsOn(const std::string& option) const;
};

// Parses jobs in fio's own job file format (fio(1), JOB FILE FORMAT), so that fio can run them by
// hand: `fio --section=NAME FILE`. Only options for I/O on storekeeper_bench.data are accepted,
// because other options of fio run commands, read files and write to devices. Jobs must be threads:
// fio's processes would outlive it when it is killed. An error names the line or the job.
android::base::Result<std::vector<BenchJob>> ParseJobFile(const std::string& text);

// fio's arguments for the job, without the program's name.
std::vector<std::string> FioArguments(const BenchJob& job);

}  // namespace storekeeper
