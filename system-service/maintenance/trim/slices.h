// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string_view>

#include "mounts/mountinfo.h"

namespace storekeeper {

// How a file system is trimmed: which ranges one FITRIM gets.
struct SlicePlan {
    std::string_view how;  // for people
    // 0: the whole file system in one call.
    uint64_t slice_bytes = 0;
    // What stands before the first slice and goes with it.
    uint64_t lead_bytes = 0;
    // FITRIM only files the discards: the file system issues them later, and answers 0.
    bool queued = false;

    // Where the slice that begins at `position` ends.
    uint64_t EndOf(uint64_t position) const;
    // The beginning of the slice that holds `position`.
    uint64_t BeginOf(uint64_t position) const;
};

// ext4 gets whole block groups: the kernel remembers which of these are trimmed and passes over
// them next time, and smaller ranges discard again what others of the group discarded. f2fs
// without `discard` takes any range, but writes a checkpoint for each. f2fs with `discard` queues
// candidates for its own thread, which ranges would only multiply.
SlicePlan PlanSlices(const Mount& mount, uint64_t block_bytes);

}  // namespace storekeeper
