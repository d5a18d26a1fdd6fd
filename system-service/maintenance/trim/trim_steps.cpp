// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/trim_steps.h"

#include <limits>

namespace storekeeper {
namespace {

// The bitmap of an ext4 block group is one block, with a bit for each block of the group.
constexpr uint64_t kBitsPerByte = 8;
// A checkpoint of f2fs writes some 10 blocks: one per 16,384 blocks is less than one in a thousand.
constexpr uint64_t kF2fsStepBlocks = 16384;

}  // namespace

uint64_t TrimSteps::EndOf(uint64_t position) const {
    if (step_bytes == 0) return std::numeric_limits<uint64_t>::max();
    return position + step_bytes + (position == 0 ? lead_bytes : 0);
}

TrimSteps PlanSteps(const Mount& mount, uint64_t block_bytes) {
    if (mount.type == "ext4") {
        return {.how = "block groups",
                .step_bytes = kBitsPerByte * block_bytes * block_bytes,
                // With blocks of 1 KiB, block 0 is the boot block and group 0 begins at block 1.
                .lead_bytes = block_bytes == 1024 ? block_bytes : 0};
    }
    if (mount.type != "f2fs") return {.how = "one call"};
    if (mount.HasOption("discard")) return {.how = "one call, discards follow", .queued = true};
    return {.how = "ranges", .step_bytes = kF2fsStepBlocks * block_bytes};
}

}  // namespace storekeeper
