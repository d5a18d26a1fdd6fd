// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/bpf_sample.h"

#include <algorithm>
#include <utility>

namespace storekeeper {
namespace {

static_assert(static_cast<int>(IoKind::kRead) == STOREKEEPER_READ);
static_assert(static_cast<int>(IoKind::kWrite) == STOREKEEPER_WRITE);
static_assert(static_cast<int>(IoKind::kFlush) == STOREKEEPER_FLUSH);
static_assert(static_cast<int>(IoKind::kDiscard) == STOREKEEPER_DISCARD);

uint64_t Growth(uint64_t before, uint64_t after) {
    return after > before ? after - before : 0;
}

}  // namespace

std::vector<LatencySample> BpfSamples(const std::vector<storekeeper_latency>& before,
                                      const std::vector<storekeeper_latency>& after, WallTime wall,
                                      std::chrono::seconds span) {
    static const storekeeper_latency kNothing = {};
    std::vector<LatencySample> samples;
    for (const IoKind kind : kIoKinds) {
        const auto at = static_cast<size_t>(kind);
        if (at >= after.size()) break;
        const storekeeper_latency& now = after[at];
        const storekeeper_latency& then = at < before.size() ? before[at] : kNothing;
        LatencySample sample = {.wall = wall,
                                .span = span,
                                .source = LatencySource::kBpf,
                                .kind = kind};
        for (uint32_t bucket = 0; bucket < STOREKEEPER_BUCKETS; ++bucket) {
            sample.histogram.AddToBucket(bucket, Growth(then.buckets[bucket], now.buckets[bucket]));
        }
        sample.count = sample.histogram.count();
        sample.total =
                std::chrono::nanoseconds(std::min<uint64_t>(Growth(then.total_ns, now.total_ns),
                                                            static_cast<uint64_t>(INT64_MAX)));
        if (sample.count != 0) samples.push_back(std::move(sample));
    }
    return samples;
}

}  // namespace storekeeper
