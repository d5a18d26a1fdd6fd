// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/slices.h"

#include <limits>

namespace storekeeper {
namespace {

// fs/ext4: the bitmap of a group is one block, a bit a block.
constexpr uint64_t kBitsPerByte = 8;
// f2fs: between a checkpoint a call (some 10 blocks written) and how long a call keeps the card.
constexpr uint64_t kF2fsSlice = 64 << 20;

}  // namespace

uint64_t SlicePlan::EndOf(uint64_t position) const {
    if (slice_bytes == 0) return std::numeric_limits<uint64_t>::max();
    return BeginOf(position) == 0 ? lead_bytes + slice_bytes : position + slice_bytes;
}

uint64_t SlicePlan::BeginOf(uint64_t position) const {
    if (slice_bytes == 0 || position < lead_bytes + slice_bytes) return 0;
    return (position - lead_bytes) / slice_bytes * slice_bytes + lead_bytes;
}

SlicePlan PlanSlices(const Mount& mount, uint64_t block_bytes) {
    if (mount.type == "ext4") {
        return {.how = "block groups",
                .slice_bytes = kBitsPerByte * block_bytes * block_bytes,
                // With 1 KiB blocks block 0 is the boot block's and group 0 begins at block 1.
                .lead_bytes = block_bytes == 1024 ? block_bytes : 0};
    }
    if (mount.type == "f2fs") {
        if (mount.HasOption("discard")) return {.how = "one call, discards follow", .queued = true};
        return {.how = "ranges", .slice_bytes = kF2fsSlice};
    }
    return {.how = "one call"};
}

}  // namespace storekeeper
