// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <string>

#include "bench/fio_result.h"
#include "bench/job_file.h"

namespace storekeeper {

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

    android::base::Result<FioJob> RunWith(std::vector<std::string> arguments,
                                          const std::string& folder) const;

    std::string program_;
    std::string version_;
    int stop_fd_ = -1;
};

}  // namespace storekeeper
