// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "campaigns/crash_disk.h"

namespace storekeeper {

// A power cut after `cut` operations, with one of the variants that it may leave.
struct CrashPoint {
    size_t cut = 0;
    size_t variant = 0;

    bool operator==(const CrashPoint&) const = default;
};

// Calls `each` for the states that a power cut may leave of `begin` after each operation of the
// log:
//   names     Each change of names that was not synced is there or not. Changes of the same name or
//             file reach the disk in their order, others in any order.
//   contents  Of the unsynced writes of a file there are: none, all, each beginning, each write
//             alone, all but one, and writes torn at 512 bytes (their beginnings, ends and every
//             second sector); also the new length with zeros.
// Variants are counted per cut, in a fixed order. Contents of several files vary one at a time,
// with all and with none of the others' writes; the same image may come again. The walk ends when
// `each` returns false.
void ForEachCrashState(const DiskImage& begin, const std::vector<DiskOperation>& log,
                       const std::function<bool(const CrashPoint& point, const CrashMarks& marks,
                                                const DiskImage& left)>& each);

// The state that a power cut after the last operation leaves, with all unsynced changes or with
// none.
DiskImage AfterPowerCut(const DiskImage& begin, const std::vector<DiskOperation>& log,
                        bool unsynced_kept);

}  // namespace storekeeper
