// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/disk_latency.h"

#include <sys/sysmacros.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::milliseconds;

// Where unsigned int wraps, and unsigned long of 32-bit kernels (block/genhd.c, diskstats_show).
constexpr uint64_t kWrap = uint64_t{1} << 32;

struct Counters {
    IoKind kind = IoKind::kRead;
    std::optional<uint64_t> count;
    std::optional<milliseconds> time;
};

std::array<Counters, 4> CountersOf(const DiskStats& stats) {
    return {Counters{IoKind::kRead, stats.reads, stats.reading},
            Counters{IoKind::kWrite, stats.writes, stats.writing},
            Counters{IoKind::kFlush, stats.flushes, stats.flushing},
            Counters{IoKind::kDiscard, stats.discards, stats.discarding}};
}

// What a counter has grown by. One that went backwards has wrapped if it was in the upper half of
// 32 bits and is in the lower one now.
std::optional<uint64_t> WrappingGrowth(uint64_t before, uint64_t after) {
    if (after >= before) return after - before;
    if (before >= kWrap || before < kWrap / 2 || after >= kWrap / 2) return std::nullopt;
    return after + kWrap - before;
}

}  // namespace

Result<std::vector<LatencySample>> DiskLatency(const DiskStats& before, const DiskStats& after,
                                               WallTime wall, std::chrono::seconds span) {
    if (before.device != after.device || before.name != after.name) {
        return Error() << "counters of " << after.name << " and " << before.name
                       << " have nothing in common";
    }
    if (span <= std::chrono::seconds(0)) {
        return Error() << "no time between two looks at the counters of " << after.name;
    }
    const auto old_counters = CountersOf(before);
    const auto new_counters = CountersOf(after);
    std::vector<LatencySample> samples;
    int backwards = 0;
    for (size_t i = 0; i < new_counters.size(); ++i) {
        const Counters& then = old_counters[i];
        const Counters& now = new_counters[i];
        if (!then.count || !now.count || !then.time || !now.time) continue;
        // One counter may wrap in the time; when several go back, they began anew.
        if (*now.count < *then.count && ++backwards > 1) {
            return Error() << "the counters of " << after.name << " began anew";
        }
        const std::optional<uint64_t> count = WrappingGrowth(*then.count, *now.count);
        const std::optional<uint64_t> time =
                WrappingGrowth(static_cast<uint64_t>(then.time->count()),
                               static_cast<uint64_t>(now.time->count()));
        if (!count || !time) {
            return Error() << "a counter of " << after.name << " (" << IoKindName(now.kind)
                           << ") went backwards";
        }
        if (*count == 0) continue;
        samples.push_back({.wall = wall,
                           .span = span,
                           .source = LatencySource::kDiskstats,
                           .kind = now.kind,
                           .count = *count,
                           .total = milliseconds(*time)});
    }
    return samples;
}

}  // namespace storekeeper
