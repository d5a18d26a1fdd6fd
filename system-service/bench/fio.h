// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "bench/job_file.h"
#include "bench/statistics.h"

namespace storekeeper {

// What fio did in one direction.
struct FioSide {
    uint64_t bytes = 0;
    uint64_t ios = 0;
    std::chrono::milliseconds runtime{};  // fio rounds it
    LatencyBins latency;                  // clat_ns: from submission to completion
};

// One job of `fio --output-format=json+`.
struct FioJob {
    int error = 0;     // errno of the first I/O that failed
    std::string said;  // beside the JSON, in one line: fio's advice, mostly
    FioSide read;
    FioSide write;
    LatencyBins sync_latency;  // fsync, fdatasync: fio leaves those out of its total_ios

    // Of all that it did, in whole milliseconds.
    std::chrono::milliseconds runtime() const { return std::max(read.runtime, write.runtime); }
};

// The only job in fio's answer. An error says what is missing, or quotes what fio said instead.
android::base::Result<FioJob> ParseFioResult(const std::string& text);

// What `fio --version` says; an error unless it is fio 3, whose json+ has bins in nanoseconds.
android::base::Result<std::string> CheckFioVersion(const std::string& text);

// fio as a child process.
class FioRunner {
  public:
    // Finds out which fio that is. An error's code is ENOENT when it cannot be started, ENOTSUP
    // when it is not fio 3. `stop_fd` as RunChild() has it.
    static android::base::Result<FioRunner> Find(const std::string& program, int stop_fd);

    const std::string& version() const { return version_; }

    // In this folder. An error says what fio said, or who ended it (EINTR: the stop, ECHILD:
    // somebody else).
    android::base::Result<FioJob> Run(const BenchJob& job, const std::string& folder) const;

    // How much longer fio runs than the time that it counts: the least of three trials that do no
    // I/O.
    android::base::Result<std::chrono::nanoseconds> Overhead(const std::string& folder) const;

  private:
    FioRunner(std::string program, std::string version, int stop_fd)
          : program_(std::move(program)), version_(std::move(version)), stop_fd_(stop_fd) {}

    std::string program_;
    std::string version_;
    int stop_fd_ = -1;
};

}  // namespace storekeeper
