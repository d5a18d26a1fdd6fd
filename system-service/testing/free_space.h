// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "maintenance/trim/discard_cost.h"

namespace storekeeper {

// A card, and free extents on it: 64 in a slice, with lengths as an exponential distribution has
// them.
struct FreeSpace {
    DiscardCost cost;
    double mean_mib = 4;

    static constexpr int kExtents = 64;
    static constexpr uint64_t kUnit = 512 << 10;

    // The longest first.
    uint64_t Extent(int number) const {
        const double mib = -mean_mib * std::log((number + 0.5) / kExtents);
        return kUnit + static_cast<uint64_t>(mib * (1 << 20));
    }

    // What a slice of it takes in discards of at most so many bytes, which the kernel cuts at
    // multiples of kUnit: an extent begins in the middle of one.
    DiscardSample Slice(uint64_t limit) const {
        DiscardSample sample{.limit_bytes = limit};
        for (int i = 0; i < kExtents; ++i) {
            const uint64_t extent = Extent(i);
            const uint64_t first = std::min(extent, limit - kUnit / 2);
            sample.discards += 1 + (extent - first + limit - 1) / limit;
            sample.bytes += extent;
        }
        sample.took = cost.fixed * static_cast<int64_t>(sample.discards) + cost.Of(sample.bytes) -
                      cost.fixed;
        return sample;
    }
};

}  // namespace storekeeper
