// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/probe_gain.h"

#include <algorithm>
#include <chrono>

namespace storekeeper {
namespace {

using std::chrono::nanoseconds;

struct Times {
    nanoseconds least;
    nanoseconds p99;
    nanoseconds most;
};

std::optional<Times> WritesOf(const std::vector<LatencySample>& samples) {
    const auto writes = std::find_if(samples.begin(), samples.end(), [](const LatencySample& s) {
        return s.source == LatencySource::kProbe && s.kind == IoKind::kWrite;
    });
    if (writes == samples.end() || writes->histogram.count() == 0) return std::nullopt;
    const Histogram& histogram = writes->histogram;
    return Times{.least = *histogram.Percentile(0),
                 .p99 = *histogram.Percentile(99),
                 .most = *histogram.Percentile(100)};
}

}  // namespace

std::optional<int> FallOfP99(const std::vector<LatencySample>& before,
                             const std::vector<LatencySample>& after) {
    const std::optional<Times> old = WritesOf(before);
    const std::optional<Times> now = WritesOf(after);
    if (!old.has_value() || !now.has_value() || old->p99.count() == 0) return std::nullopt;
    if (now->most > old->least && old->most > now->least) return std::nullopt;
    return static_cast<int>((old->p99 - now->p99).count() * 100 / old->p99.count());
}

}  // namespace storekeeper
