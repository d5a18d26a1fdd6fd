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
// The kind as text: "read", "write", "flush" or "discard".
constexpr const char* IoKindName(IoKind kind) {
    constexpr const char* kNames[] = {"read", "write", "flush", "discard"};
    return kNames[static_cast<size_t>(kind)];
}

enum class LatencySource {
    kDiskstats,  // /proc/diskstats: all I/O of the device; a mean, no histogram
    kProbe,      // the probe's own I/Os
    kBpf,        // reserved: every request, in rows stored until November 2026
};
inline constexpr LatencySource kLatencySources[] = {LatencySource::kDiskstats,
                                                    LatencySource::kProbe, LatencySource::kBpf};
// The source as text: "diskstats", "probe" or "bpf".
constexpr const char* LatencySourceName(LatencySource source) {
    constexpr const char* kNames[] = {"diskstats", "probe", "bpf"};
    return kNames[static_cast<size_t>(source)];
}

// Adds two counters; a sum that overflows becomes the largest number.
template <typename T>
T SumUpToMax(T one, T other) {
    T sum{};
    return __builtin_add_overflow(one, other, &sum) ? std::numeric_limits<T>::max() : sum;
}

// Latency of the I/Os of one kind during a span of time.
struct LatencySample {
    WallTime wall{};              // end of the span
    std::chrono::seconds span{};  // length of the span
    LatencySource source = LatencySource::kDiskstats;
    IoKind kind = IoKind::kRead;
    uint64_t count = 0;                // completed I/Os
    std::chrono::nanoseconds total{};  // sum of their latencies
    Histogram histogram;               // empty for kDiskstats

    // Adds another sample to this one, which keeps its source and kind.
    void Merge(const LatencySample& other) {
        wall = std::max(wall, other.wall);
        span = std::chrono::seconds(SumUpToMax(span.count(), other.span.count()));
        count = SumUpToMax(count, other.count);
        total = std::chrono::nanoseconds(SumUpToMax(total.count(), other.total.count()));
        histogram.Merge(other.histogram);
    }
    bool operator==(const LatencySample&) const = default;
};

// Increase of a counter; 0 if it went backwards.
constexpr uint64_t IncreaseOrZero(uint64_t before, uint64_t after) {
    return after > before ? after - before : 0;
}

}  // namespace storekeeper
