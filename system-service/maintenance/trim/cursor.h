// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/record_file.h"

namespace storekeeper {

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
