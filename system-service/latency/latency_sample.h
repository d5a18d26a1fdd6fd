// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/clock.h"
#include "latency/histogram.h"

namespace storekeeper {

enum class IoKind { kRead, kWrite, kFlush, kDiscard };
inline constexpr IoKind kIoKinds[] = {IoKind::kRead, IoKind::kWrite, IoKind::kFlush,
                                      IoKind::kDiscard};
// "read", "write", "flush", "discard".
constexpr const char* IoKindName(IoKind kind) {
    constexpr const char* kNames[] = {"read", "write", "flush", "discard"};
    return kNames[static_cast<size_t>(kind)];
}

enum class LatencySource {
    kDiskstats,  // /proc/diskstats: what the device did for everybody; a mean, no histogram
    kProbe,      // our own few I/Os
    kBpf,        // reserved: every request, in rows stored until November 2026
};
inline constexpr LatencySource kLatencySources[] = {LatencySource::kDiskstats,
                                                    LatencySource::kProbe, LatencySource::kBpf};
// "diskstats", "probe", "bpf".
constexpr const char* LatencySourceName(LatencySource source) {
    constexpr const char* kNames[] = {"diskstats", "probe", "bpf"};
    return kNames[static_cast<size_t>(source)];
}

// Sums of counters stay at the largest number instead of wrapping.
template <typename T>
T SumUpToMax(T one, T other) {
    T sum{};
    return __builtin_add_overflow(one, other, &sum) ? std::numeric_limits<T>::max() : sum;
}

// How long I/Os of one kind took over a time.
struct LatencySample {
    WallTime wall{};              // when the time ended
    std::chrono::seconds span{};  // how long it was
    LatencySource source = LatencySource::kDiskstats;
    IoKind kind = IoKind::kRead;
    uint64_t count = 0;                // I/Os that ended
    std::chrono::nanoseconds total{};  // the sum of their times
    Histogram histogram;               // empty for kDiskstats

    // Adds the other to this one, which keeps its source and kind.
    void Merge(const LatencySample& other) {
        wall = std::max(wall, other.wall);
        span = std::chrono::seconds(SumUpToMax(span.count(), other.span.count()));
        count = SumUpToMax(count, other.count);
        total = std::chrono::nanoseconds(SumUpToMax(total.count(), other.total.count()));
        histogram.Merge(other.histogram);
    }
    bool operator==(const LatencySample&) const = default;
};

// What a counter has grown by; 0 when it went backwards.
constexpr uint64_t Growth(uint64_t before, uint64_t after) {
    return after > before ? after - before : 0;
}

}  // namespace storekeeper
