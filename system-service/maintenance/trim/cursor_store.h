// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"

namespace storekeeper {

// A file system, whatever device number and mount it has today.
struct FilesystemKey {
    uint64_t fsid = 0;  // of statvfs(3): from the UUID on ext4
    uint64_t size_bytes = 0;

    std::string Text() const;
};

// Where passes that were stopped go on, by file system, in one small file. A file that cannot be
// read or written costs no more than starting over.
class CursorStore {
  public:
    // A stopped pass is resumed for this long: later, too much of its first part is new.
    static constexpr std::chrono::hours kLife{7 * 24};

    explicit CursorStore(std::string path);

    // The offset in bytes; 0 is the start.
    uint64_t Find(const FilesystemKey& key, WallTime now) const EXCLUDES(lock_);
    android::base::Result<void> Save(const FilesystemKey& key, uint64_t position, WallTime now)
            EXCLUDES(lock_);
    // The pass is complete. Writes nothing when there was no cursor.
    android::base::Result<void> Forget(const FilesystemKey& key) EXCLUDES(lock_);

  private:
    struct Cursor {
        uint64_t position = 0;
        WallTime saved{};
    };

    android::base::Result<void> Write() const REQUIRES(lock_);

    const std::string path_;
    mutable Mutex lock_;
    std::map<std::string, Cursor> cursors_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
