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
#include "base/pages.h"
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

// Ages a file system as the torture tests of 2013 and 2016 did: fills it with sequential data, then
// writes 4 KiB at random in the rest. Data does not compress, and no run repeats another's. Each
// request is 256 KiB at most, and a stop is heeded between two; what is stopped is not synced.
// O_DIRECT is not believed: FUSE of shared storage and encrypted files take it and use the page
// cache.
class Ager {
  public:
    struct Tools {
        // The path of a file of ours by its name.
        std::function<std::string(const std::string& name)> path;
        std::function<bool()> stop;
        std::function<void(const std::string& what)> progress;
        // The bytes that were ever written to the disk below; absent where nobody counts them.
        std::function<std::optional<uint64_t>()> disk_written;
    };

    Ager(Syscalls& syscalls, const Clock& clock, std::string folder, Tools tools);

    // Fills on where an earlier run has stopped: `files` are what it left, with their lengths. The
    // random writes begin anew each time. A file system that is full before its time is an error
    // (ENOSPC). Stopped is no error.
    android::base::Result<AgeOutcome> Run(const AgePlan& plan,
                                          const std::map<std::string, uint64_t>& files);

  private:
    // How much can be written in one step so that this much stays free; 0 when none.
    android::base::Result<uint64_t> Room(uint64_t leave);
    // Past the page cache; once that is not possible, or of no use, so that each write is synced.
    android::base::Result<android::base::unique_fd> OpenFile(const std::string& path);
    android::base::Result<void> WriteAll(android::base::borrowed_fd fd, size_t bytes, off_t offset);
    android::base::Result<void> Sync(android::base::borrowed_fd fd);
    // Writes a file from `from` to `to`; returns where it came to.
    android::base::Result<uint64_t> Extend(const std::string& name, uint64_t from, uint64_t to);
    android::base::Result<void> Fill(const AgePlan& plan, std::map<std::string, uint64_t> files,
                                     AgeOutcome* outcome);
    android::base::Result<void> Churn(const AgePlan& plan, uint64_t found, AgeOutcome* outcome);
    // Its file, once it is known how to write past the page cache, or to sync each write.
    android::base::Result<android::base::unique_fd> OpenForRandom(uint64_t pages);
    // Writes new data into any of so many pages.
    android::base::Result<void> WriteAPage(android::base::borrowed_fd fd, uint64_t pages);
    android::base::Result<void> WriteAtRandom(const AgePlan& plan, AgeOutcome* outcome);
    void NewData();

    Syscalls& syscalls_;
    const Clock& clock_;
    const std::string folder_;
    const Tools tools_;
    const AlignedPages memory_;
    uint8_t* const data_;
    bool direct_ = true;
    uint64_t random_;
    uint64_t written_ = 0;  // pages at random
};

// What ageing did, as docs/bench_age.schema.json has it; `kept`: its files stay.
Json::Value AgeToJson(const AgeOutcome& outcome, const std::string& folder, bool kept);

// That for people.
std::string AgeToText(const AgeOutcome& outcome, const std::string& folder, bool kept);

}  // namespace storekeeper
