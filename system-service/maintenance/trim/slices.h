// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/record_file.h"
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
    // Slices are block groups of ext4.
    bool by_group = false;
    // The file system joins free space to discards of whole units of this size; 0: of any size.
    uint64_t segment_bytes = 0;
    // Within a FITRIM the file system sleeps each time it has issued so many discards; 0: never.
    uint64_t discards_to_sleep = 0;
    std::chrono::nanoseconds sleep{};

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

// A file system, whatever device number and mount it has today.
struct FilesystemKey {
    uint64_t fsid = 0;  // of statvfs(3): from the UUID on ext4
    uint64_t size_bytes = 0;

    std::string Text() const;
};

// Where passes that were stopped go on, by file system. A cursor that is lost costs no more than
// starting over.

// A stopped pass is resumed for this long: later, too much of its first part is new.
inline constexpr std::chrono::hours kCursorLife{7 * 24};

// The offset in bytes; 0 is the start.
uint64_t FindCursor(const RecordFile& records, const FilesystemKey& key, WallTime now);

// Puts the record, and leaves the writing to the caller. At 0 the pass is complete.
void PutCursor(RecordFile* records, const FilesystemKey& key, uint64_t position, WallTime now);

}  // namespace storekeeper
