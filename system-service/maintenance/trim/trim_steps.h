// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string_view>

#include "mounts/mountinfo.h"

namespace storekeeper {

// The ranges of a file system that one FITRIM call each trims.
struct TrimSteps {
    std::string_view how;     // for people
    uint64_t step_bytes = 0;  // 0: the whole file system is one step
    uint64_t lead_bytes = 0;  // bytes before the first step, which trims them too
    // FITRIM only files the discards, and answers 0: the file system issues them later.
    bool queued = false;

    // End of the step that begins at `position`, in bytes.
    uint64_t EndOf(uint64_t position) const;
};

// ext4: a block group. The kernel remembers which groups are trimmed and passes over them, and a
// smaller range would discard again what the rest of its group has discarded.
// f2fs without `discard`: 16,384 blocks, since each FITRIM writes a checkpoint.
// f2fs with `discard`: one step. It files candidates for its own thread; ranges would repeat them.
// Other file systems: one step.
TrimSteps PlanSteps(const Mount& mount, uint64_t block_bytes);

}  // namespace storekeeper
