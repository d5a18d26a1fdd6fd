// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_result.h"
#include "bench/fio.h"
#include "bench/reread.h"

namespace storekeeper {

// The bytes of the largest file that a job uses; the copy is made of as many.
uint64_t LargestFile(const std::vector<BenchJob>& jobs);

// Whether files of `bytes`, twice as the copy has them, fit into what is free. An error (ENOSPC)
// says what to do.
android::base::Result<void> CheckRoom(const std::string& folder, uint64_t free_bytes,
                                      uint64_t bytes);

// Repeats a matrix of jobs and judges each.
class BenchRunner {
  public:
    // What the runner lets others do.
    struct Tools {
        // A job, by fio.
        std::function<android::base::Result<FioJob>(const BenchJob& job)> fio;
        // Makes the file system quiet: what others have written is written. `fresh` also removes
        // the file of the jobs.
        std::function<android::base::Result<void>(bool fresh)> settle;
        // The jobs' file, when all have used it, read by other means than fio; absent when that
        // cannot be.
        std::function<android::base::Result<std::optional<Reread>>()> reread;
        // A copy of many files as a repetition; both states and the reasons are filled in here.
        std::function<android::base::Result<BenchRepetition>()> copy;
        std::function<DeviceState(bool clocks_first)> read;
        // What is being done: "2 of 5: rand-read-4k".
        std::function<void(const std::string& what)> progress;
    };

    BenchRunner(Tools tools, const BenchPlace& place) : tools_(std::move(tools)), place_(place) {}

    // All jobs once, then all again: what changes slowly meets all figures alike. An error is that
    // of the first job that failed, with its name.
    android::base::Result<std::vector<BenchFigure>> Run(const std::vector<BenchJob>& jobs,
                                                        unsigned repeat);

  private:
    android::base::Result<BenchRepetition> RunFio(const BenchJob& job);
    android::base::Result<BenchRepetition> RunCopy();
    // Judges the last repetition of each of `jobs` figures by what was read again.
    android::base::Result<void> ReadAgain(std::vector<BenchFigure>* figures, size_t jobs);

    const Tools tools_;
    const BenchPlace place_;
};

}  // namespace storekeeper
