// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/rows.h"

#include <algorithm>
#include <limits>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Result;

// Rounds down: no device reports times before 1970 on purpose, but it may.
int64_t FloorDiv(int64_t number, int64_t by) {
    return number / by - (number % by < 0 ? 1 : 0);
}

template <typename T>
T SumOf(T a, T b) {
    T sum{};
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<T>::max() : sum;
}

}  // namespace

int64_t FirstDayOf(int64_t day, int64_t days) {
    return FloorDiv(day, days) * days;
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
    span = std::chrono::seconds(SumOf(span.count(), other.span.count()));
    count = SumOf(count, other.count);
    total = std::chrono::nanoseconds(SumOf(total.count(), other.total.count()));
    return {};
}

int64_t LatencyRow::Key() const {
    constexpr int64_t kSources = 4;
    constexpr int64_t kKinds = 4;
    return (day * kSources + static_cast<int64_t>(source)) * kKinds + static_cast<int64_t>(kind);
}

}  // namespace storekeeper
