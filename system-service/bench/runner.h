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

// Bytes of the largest file that a job uses; the copy has the same size.
uint64_t LargestFile(const std::vector<BenchJob>& jobs);

// Checks that files of `bytes`, twice because of the copy, fit into the free space. The error
// (ENOSPC) says what to do.
android::base::Result<void> CheckRoom(const std::string& folder, uint64_t free_bytes,
                                      uint64_t bytes);

// Lengths of files such as people have, `bytes` in total: powers of two from 4 KiB to 1 MiB, about
// equally often. The result is always the same.
std::vector<uint64_t> CopyLengths(uint64_t bytes);

// Copies many files. They are made anew, dropped from the page cache, copied one after the other,
// and synced at the end; the sync counts as part of the time. Latencies are those of the files,
// which are removed again. `read` and `stop` are the runner's. EINTR: stopped.
android::base::Result<BenchRepetition> RunCopyBench(
        OwnFolder* folder, uint64_t bytes,
        const std::function<DeviceState(bool clocks_first)>& read,
        const std::function<bool()>& stop);

// Result of reading some of the jobs' file by this program, without fio and past the page cache.
struct Reread {
    uint64_t blocks = 0;  // blocks of 4 KiB
    // Blocks of whose words most occurred before, in this or another block. Random data has no word
    // of 8 bytes twice.
    uint64_t alike = 0;
    LatencyBins latency;
};

// Reads a random tenth of the file's blocks, at most kMaxReread, always the same ones. Absent if
// the file system has no direct I/O or the file has fewer than ten blocks. Errors keep errno;
// EINTR: stopped.
inline constexpr uint64_t kMaxReread = 4096;
android::base::Result<std::optional<Reread>> RereadTenth(const std::string& path,
                                                         const std::function<bool()>& stop);

// Reasons to doubt a job that used the file. `latency` is the job's. Codes: duplicate_data,
// faster_than_reread.
std::vector<BenchReason> JudgeByReread(const Reread& reread, const BenchJob& job,
                                       const LatencyBins& latency);

// Work that a benchmark delegates to its caller.
struct BenchTools {
    // Runs a job by fio.
    std::function<android::base::Result<FioJob>(const BenchJob& job)> fio;
    // Writes back all data of the file system, so that it is quiet. `fresh` also removes the jobs'
    // file.
    std::function<android::base::Result<void>(bool fresh)> settle;
    // Reads the jobs' file by other means than fio, after all jobs have used it. Absent if that is
    // impossible.
    std::function<android::base::Result<std::optional<Reread>>()> reread;
    // Copies many files as a repetition. The runner fills in the reasons.
    std::function<android::base::Result<BenchRepetition>()> copy;
    std::function<DeviceState(bool clocks_first)> read;
    // Reports the current work: "2 of 5: rand-read-4k".
    std::function<void(const std::string& what)> progress;
};

// Repeats a matrix of jobs and judges each. All jobs run once, then all again, so that slow changes
// affect all figures alike. The error is that of the first job that failed, with its name.
android::base::Result<std::vector<BenchFigure>> RunBench(const BenchTools& tools,
                                                         const BenchPlace& place,
                                                         const std::vector<BenchJob>& jobs,
                                                         unsigned repeat);

}  // namespace storekeeper
