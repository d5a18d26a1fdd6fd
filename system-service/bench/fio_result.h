// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace storekeeper {

// How often which time was met, by fio's own bins: what fio says of percentiles is reckoned from
// these, and so is what we say. storekeeperd's Histogram has other buckets.
class LatencyBins {
  public:
    void Add(std::chrono::nanoseconds time, uint64_t count = 1);
    void Merge(const LatencyBins& other);

    uint64_t count() const { return count_; }

    // The smallest bin that at least `percent` (above 0, up to 100) of all stay below or at, as
    // calc_clat_percentiles() of fio's stat.c has it. Absent when nothing was counted.
    std::optional<std::chrono::nanoseconds> Percentile(double percent) const;

    bool operator==(const LatencyBins&) const = default;

  private:
    std::map<std::chrono::nanoseconds, uint64_t> bins_;  // none empty
    uint64_t count_ = 0;
};

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
    // fsync, fdatasync: fio leaves those out of its total_ios, so this counts the latencies.
    uint64_t syncs = 0;
    LatencyBins sync_latency;

    // Of all that it did, in whole milliseconds.
    std::chrono::milliseconds runtime() const;
};

// The only job in fio's answer. An error says what is missing, or quotes what fio said instead.
android::base::Result<FioJob> ParseFioResult(const std::string& text);

// What `fio --version` says; an error unless it is fio 3, whose json+ has bins in nanoseconds.
android::base::Result<std::string> CheckFioVersion(const std::string& text);

}  // namespace storekeeper
