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

// I/O of fio in one direction.
struct FioSide {
    uint64_t bytes = 0;
    uint64_t ios = 0;
    std::chrono::milliseconds runtime{};  // fio rounds it
    LatencyBins latency;                  // clat_ns: from submission to completion
};

// One job of `fio --output-format=json+`.
struct FioJob {
    int error = 0;     // errno of the first I/O that failed
    std::string said;  // text beside the JSON in one line, mostly fio's advice
    FioSide read;
    FioSide write;
    LatencyBins sync_latency;  // latencies of fsync and fdatasync, which total_ios does not count

    // Time of all its I/O, in whole milliseconds.
    std::chrono::milliseconds runtime() const { return std::max(read.runtime, write.runtime); }
};

// Parses the only job in fio's answer. An error says what is missing, or quotes other output of
// fio.
android::base::Result<FioJob> ParseFioResult(const std::string& text);

// Checks the output of `fio --version`. An error unless it is fio 3, whose json+ has bins in
// nanoseconds.
android::base::Result<std::string> CheckFioVersion(const std::string& text);

// Runs fio as a child process.
class FioRunner {
  public:
    // Finds out fio's version. The error's code is ENOENT if fio cannot be started, ENOTSUP if it
    // is not fio 3. `stop_fd`: see RunChild().
    static android::base::Result<FioRunner> Find(const std::string& program, int stop_fd);

    const std::string& version() const { return version_; }

    // Runs a job in this folder. An error has fio's message, or says how it was ended (EINTR: by
    // the stop; ECHILD: by another process).
    android::base::Result<FioJob> Run(const BenchJob& job, const std::string& folder) const;

    // Time that fio runs beyond the time that it counts: the shortest of three trials without I/O.
    android::base::Result<std::chrono::nanoseconds> Overhead(const std::string& folder) const;

  private:
    FioRunner(std::string program, std::string version, int stop_fd)
          : program_(std::move(program)), version_(std::move(version)), stop_fd_(stop_fd) {}

    std::string program_;
    std::string version_;
    int stop_fd_ = -1;
};

}  // namespace storekeeper
