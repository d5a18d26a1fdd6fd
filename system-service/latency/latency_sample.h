// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "latency/histogram.h"

namespace storekeeper {

enum class IoKind { kRead, kWrite, kFlush, kDiscard };
inline constexpr IoKind kIoKinds[] = {IoKind::kRead, IoKind::kWrite, IoKind::kFlush,
                                      IoKind::kDiscard};
// "read", "write", "flush", "discard".
const char* IoKindName(IoKind kind);

enum class LatencySource {
    kDiskstats,  // /proc/diskstats: what the device did for everybody; a mean, no histogram
    kProbe,      // our own few I/Os
    kBpf,        // every request, in the kernel
};
inline constexpr LatencySource kLatencySources[] = {LatencySource::kDiskstats,
                                                    LatencySource::kProbe, LatencySource::kBpf};
// "diskstats", "probe", "bpf".
const char* LatencySourceName(LatencySource source);

// How long I/Os of one kind took over a time.
struct LatencySample {
    WallTime wall{};              // when the time ended
    std::chrono::seconds span{};  // how long it was
    LatencySource source = LatencySource::kDiskstats;
    IoKind kind = IoKind::kRead;
    uint64_t count = 0;                // I/Os that ended
    std::chrono::nanoseconds total{};  // the sum of their times
    Histogram histogram;               // empty for kDiskstats

    bool operator==(const LatencySample&) const = default;
};

}  // namespace storekeeper
