// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/record_file.h"

namespace storekeeper {

// A cursor is the place where a stopped pass goes on, in bytes of the file system. The record
// `cursors` of state.log has one for each file system. Without it the pass starts over.

// After a week much of the trimmed range has been written and freed again.
inline constexpr std::chrono::hours kCursorLife{7 * 24};

// Identity of a file system, independent of its mount point: f_fsid of statvfs(3), which is of the
// UUID on ext4 and of the device number on f2fs, and its size.
std::string CursorKey(uint64_t fsid, uint64_t size_bytes);

// 0 is the beginning, also of a pass that was not stopped.
uint64_t FindCursor(const RecordFile& records, const std::string& key, WallTime now);

// Replaces the cursor in memory; the next RecordFile::Write() stores it. 0: the next pass
// begins at the beginning.
void PutCursor(RecordFile* records, const std::string& key, uint64_t position, WallTime now);

}  // namespace storekeeper
