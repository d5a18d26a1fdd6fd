// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "maintenance/trim/outcome.h"

namespace storekeeper {

struct MountReceipt {
    std::string mount;
    TrimOutcome outcome = TrimOutcome::kFailed;
    // Why it was not trimmed: one line naming the mount; "" when it was.
    std::string reason;
    // The range that was trimmed, in bytes of the file system. A pass that goes on where another
    // was stopped begins there; one asked for by command then does the first part, too.
    uint64_t range_start_bytes = 0;
    uint64_t range_length_bytes = 0;
    // What FITRIM answered. Absent when it did not run, or answered no count: some file systems
    // answer 2^64-1.
    std::optional<uint64_t> filesystem_bytes;
    // What the block layer discarded on the device meanwhile, by whomever. Absent when the kernel
    // does not count it.
    std::optional<uint64_t> block_layer_bytes;
    std::chrono::nanoseconds duration{};
    // Of that, inside FITRIM: the rest are pauses.
    std::chrono::nanoseconds trimming{};
    uint64_t slices = 0;  // FITRIM calls
    // The queue was throttled for the time of the pass.
    bool throttled = false;
    // The longest that others' reads or writes of the disk took on average during one slice.
    // Absent when there were none, or the kernel does not report.
    std::optional<std::chrono::nanoseconds> worst_foreground;
    // Explains a figure that would mislead; "" when none does.
    std::string note;
};

inline void AddNote(const std::string& note, MountReceipt* receipt) {
    receipt->note += (receipt->note.empty() ? "" : "; ") + note;
}

// What one run did, mount by mount.
struct TrimReceipt {
    bool manual = false;  // asked for, rather than decided by the policy
    BootTime started{};
    WallTime started_wall{};
    std::chrono::nanoseconds duration{};
    std::vector<MountReceipt> mounts;
    // kTrimmed when at least one mount was trimmed and none failed; else the first failure. A run
    // of all mounts passes over those that cannot be trimmed as they are, a run of named ones does
    // not.
    TrimOutcome outcome = TrimOutcome::kFailed;
    std::string reason;  // of the first failure; "" without
    // Every mount that can be trimmed was: what the interval between runs counts from.
    bool complete = false;
    // Of the mounts that were named none could be trimmed: nothing was tried, so it is no run.
    bool refused = false;
};

}  // namespace storekeeper
