// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>

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

}  // namespace storekeeper
