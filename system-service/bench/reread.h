// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/honesty.h"
#include "bench/job_file.h"
#include "bench/statistics.h"

namespace storekeeper {

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

}  // namespace storekeeper
