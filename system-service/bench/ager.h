// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/syscalls.h"
#include "latency/histogram.h"

namespace storekeeper {

struct AgePlan {
    uint64_t until_free_bytes = 0;
    uint64_t churn = 0;  // random writes of one page in the space that is left
    // Page of the kernel. f2fs serves smaller direct I/O from the page cache.
    uint64_t page_bytes = 4096;
};

// Bytes that ageing never uses: an eighth of the space that is to stay free, from 1 to 16 MiB.
uint64_t AgeReserve(uint64_t until_free_bytes);

// The random writes between two points.
struct AgeSample {
    uint64_t writes = 0;
    double iops = 0;  // of the writes since the last sample
    Histogram latency;
};

struct AgeOutcome {
    uint64_t found_bytes = 0;   // files of an earlier run
    uint64_t filled_bytes = 0;  // written by this run
    std::chrono::nanoseconds fill_time{};
    uint64_t churn_bytes = 0;  // size of the file for random writes
    uint64_t churned = 0;      // random writes done
    std::chrono::nanoseconds churn_time{};
    std::vector<AgeSample> samples;
    uint64_t free_bytes = 0;
    // O_DIRECT was used. If it is impossible or has no effect, each write is synced instead.
    bool direct = true;
    bool stopped = false;
};

// Services that ageing needs from its caller.
struct AgeTools {
    // Returns the path of one of our files by its name.
    std::function<std::string(const std::string& name)> path;
    std::function<bool()> stop;
    std::function<void(const std::string& what)> progress;
    // Returns the bytes ever written to the disk below; absent if nothing counts them.
    std::function<std::optional<uint64_t>()> disk_written;
};

// Ages a file system as the torture tests of 2013 and 2016 did: fills it with sequential data, then
// writes single pages at random in the rest.
//
// The data is incompressible, and no run repeats another's. Each request is at most 256 KiB; a stop
// takes effect between two requests, and nothing is synced after it. O_DIRECT is verified, because
// FUSE of shared storage and encrypted files accept it but use the page cache.
//
// Filling continues where an earlier run stopped: `files` are that run's files with their lengths.
// The random writes begin anew each time. ENOSPC: the file system is full too early. A stop is no
// error.
android::base::Result<AgeOutcome> AgeFileSystem(Syscalls& syscalls, const Clock& clock,
                                                const std::string& folder, const AgeTools& tools,
                                                const AgePlan& plan,
                                                const std::map<std::string, uint64_t>& files);

// The outcome as docs/bench_age.schema.json describes it. `kept`: the files stay.
Json::Value AgeToJson(const AgeOutcome& outcome, const std::string& folder, bool kept);

// The outcome for people.
std::string AgeToText(const AgeOutcome& outcome, const std::string& folder, bool kept);

}  // namespace storekeeper
