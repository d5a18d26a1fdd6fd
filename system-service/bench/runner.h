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
#include "bench/honesty.h"
#include "bench/job_file.h"
#include "bench/statistics.h"
#include "bench/system/files.h"

namespace storekeeper {

// The bytes of the largest file that a job uses; the copy is made of as many.
uint64_t LargestFile(const std::vector<BenchJob>& jobs);

// Whether files of `bytes`, twice as the copy has them, fit into what is free. An error (ENOSPC)
// says what to do.
android::base::Result<void> CheckRoom(const std::string& folder, uint64_t free_bytes,
                                      uint64_t bytes);

// Lengths of files such as people have: from 4 KiB to 1 MiB, each power of two about equally often,
// always the same ones, `bytes` in all.
std::vector<uint64_t> CopyLengths(uint64_t bytes);

// A real copy of many files: they are made anew, forgotten by the page cache, copied one after the
// other and synced at the end, which counts. Latencies are those of the files. They are removed
// again. `read` and `stop` as the runner's; stopped, the error's code is EINTR.
android::base::Result<BenchRepetition> RunCopyBench(
        OwnFolder* folder, uint64_t bytes,
        const std::function<DeviceState(bool clocks_first)>& read,
        const std::function<bool()>& stop);

// What this program saw of the jobs' file when it read some of it itself: no fio, no page cache.
struct Reread {
    uint64_t blocks = 0;  // of 4 KiB
    // Those of whose words most were met before, here or in another block: random data has no word
    // of 8 bytes twice.
    uint64_t alike = 0;
    LatencyBins latency;
};

// Reads a random tenth of the file's blocks, kMaxReread at most, always the same ones. Absent
// where the file system has no direct I/O or the file has less than ten blocks. Errors keep errno;
// stopped, it is EINTR.
inline constexpr uint64_t kMaxReread = 4096;
android::base::Result<std::optional<Reread>> RereadTenth(const std::string& path,
                                                         const std::function<bool()>& stop);

// What it has against a job that used the file. `latency` is the job's. Codes: duplicate_data,
// faster_than_reread.
std::vector<BenchReason> JudgeByReread(const Reread& reread, const BenchJob& job,
                                       const LatencyBins& latency);

// What a benchmark lets others do.
struct BenchTools {
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

// Repeats a matrix of jobs and judges each. All jobs once, then all again: what changes slowly
// meets all figures alike. An error is that of the first job that failed, with its name.
android::base::Result<std::vector<BenchFigure>> RunBench(const BenchTools& tools,
                                                         const BenchPlace& place,
                                                         const std::vector<BenchJob>& jobs,
                                                         unsigned repeat);

}  // namespace storekeeper
