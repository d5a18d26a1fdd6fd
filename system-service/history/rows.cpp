// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/rows.h"

#include <algorithm>

#include "base/try.h"

namespace storekeeper {

using android::base::Result;

int64_t FirstDayOf(int64_t day, int64_t days) {
    // Rounded down: no device reports times before 1970 on purpose, but it may.
    return day - (day % days + days) % days;
}

LatencyRow LatencyRow::Of(const LatencySample& sample) {
    const int64_t days = sample.source == LatencySource::kBpf ? 7 : 1;
    return {.day = FirstDayOf(DayOf(sample.wall), days),
            .days = days,
            .source = sample.source,
            .kind = sample.kind,
            .wall = sample.wall,
            .span = sample.span,
            .count = sample.count,
            .total = sample.total,
            .histogram = sample.histogram.Encode()};
}

Result<LatencySample> LatencyRow::Sample() const {
    LatencySample sample{.wall = wall,
                         .span = span,
                         .source = source,
                         .kind = kind,
                         .count = count,
                         .total = total};
    sample.histogram = TRY(Histogram::Decode(histogram));
    return sample;
}

Result<void> LatencyRow::Join(const LatencyRow& other) {
    if (!other.histogram.empty()) {
        Histogram sum = TRY(Histogram::Decode(histogram));
        sum.Merge(TRY(Histogram::Decode(other.histogram)));
        histogram = sum.Encode();
    }
    wall = std::max(wall, other.wall);
    span = std::chrono::seconds(SumUpToMax(span.count(), other.span.count()));
    count = SumUpToMax(count, other.count);
    total = std::chrono::nanoseconds(SumUpToMax(total.count(), other.total.count()));
    return {};
}

int64_t LatencyRow::Key() const {
    constexpr int64_t kSources = 4;
    constexpr int64_t kKinds = 4;
    return (day * kSources + static_cast<int64_t>(source)) * kKinds + static_cast<int64_t>(kind);
}

}  // namespace storekeeper
