// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/latency_bins.h"

namespace storekeeper {

void LatencyBins::Add(std::chrono::nanoseconds time, uint64_t count) {
    if (count == 0) return;
    bins_[time] += count;
    count_ += count;
}

void LatencyBins::Merge(const LatencyBins& other) {
    for (const auto& [time, count] : other.bins_) Add(time, count);
}

std::optional<std::chrono::nanoseconds> LatencyBins::Percentile(double percent) const {
    const long double wanted = static_cast<long double>(percent) / 100 * count_;
    uint64_t seen = 0;
    for (const auto& [time, count] : bins_) {
        seen += count;
        if (seen >= wanted) return time;
    }
    if (bins_.empty()) return std::nullopt;
    return bins_.rbegin()->first;
}

}  // namespace storekeeper
