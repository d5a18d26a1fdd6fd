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
    uint64_t churn = 0;  // random writes of 4 KiB in what is then left
};

// What never is used, whatever is asked for: an eighth of what is to stay free, from 1 to 16 MiB.
uint64_t AgeReserve(uint64_t until_free_bytes);

// How the random writes went up to a point.
struct AgeSample {
    uint64_t writes = 0;
    double iops = 0;  // of those since the sample before
    Histogram latency;
};

struct AgeOutcome {
    uint64_t found_bytes = 0;   // of an earlier run
    uint64_t filled_bytes = 0;  // by this one
    std::chrono::nanoseconds fill_time{};
    uint64_t churn_bytes = 0;  // the file of the random writes
    uint64_t churned = 0;      // how many of them were done
    std::chrono::nanoseconds churn_time{};
    std::vector<AgeSample> samples;
    uint64_t free_bytes = 0;
    // Past the page cache; where that cannot be, each write is synced instead.
    bool direct = true;
    bool stopped = false;
};

// What ageing needs of its caller.
struct AgeTools {
    // The path of a file of ours by its name.
    std::function<std::string(const std::string& name)> path;
    std::function<bool()> stop;
    std::function<void(const std::string& what)> progress;
    // The bytes that were ever written to the disk below; absent where nobody counts them.
    std::function<std::optional<uint64_t>()> disk_written;
};

// Ages a file system as the torture tests of 2013 and 2016 did: fills it with sequential data, then
// writes 4 KiB at random in the rest. Data does not compress, and no run repeats another's. Each
// request is 256 KiB at most, and a stop is heeded between two; what is stopped is not synced.
// O_DIRECT is not believed: FUSE of shared storage and encrypted files take it and use the page
// cache. Fills on where an earlier run has stopped: `files` are what it left, with their lengths.
// The random writes begin anew each time. A file system that is full before its time is an error
// (ENOSPC). Stopped is no error.
android::base::Result<AgeOutcome> AgeFileSystem(Syscalls& syscalls, const Clock& clock,
                                                const std::string& folder, const AgeTools& tools,
                                                const AgePlan& plan,
                                                const std::map<std::string, uint64_t>& files);

// What ageing did, as docs/bench_age.schema.json has it; `kept`: its files stay.
Json::Value AgeToJson(const AgeOutcome& outcome, const std::string& folder, bool kept);

// That for people.
std::string AgeToText(const AgeOutcome& outcome, const std::string& folder, bool kept);

}  // namespace storekeeper
