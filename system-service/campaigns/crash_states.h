// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "campaigns/crash_disk.h"

namespace storekeeper {

// A power cut: behind so many operations, with the n-th of what may be left then.
struct CrashPoint {
    size_t cut = 0;
    size_t variant = 0;

    bool operator==(const CrashPoint&) const = default;
};

// Calls `each` with what a power cut may leave of `begin` behind each operation of the log:
//   names     what was not synced with the folder is there or not. Changes that concern the same
//             name or file come to the disk in their order, others in any.
//   contents  what was not synced with the file: nothing of it, all, each beginning, each write
//             alone, all but one, and writes torn at 512 bytes: their beginnings, ends and every
//             second sector; also the new length with zeros.
// Variants are counted per cut, in an order that is always the same. Contents of several files are
// varied one at a time, with all and with nothing of the others; the same image may come again.
// False from `each` ends it.
void ForEachCrashState(const DiskImage& begin, const std::vector<DiskOperation>& log,
                       const std::function<bool(const CrashPoint& point, const CrashMarks& marks,
                                                const DiskImage& left)>& each);

// What the same power cut behind the last operation leaves: all that was not synced, or nothing of
// it.
DiskImage AfterPowerCut(const DiskImage& begin, const std::vector<DiskOperation>& log,
                        bool unsynced_kept);

}  // namespace storekeeper
