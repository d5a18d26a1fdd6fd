// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/syscalls.h"
#include "history/database.h"
#include "history/rows.h"
#include "history/snapshot.h"

namespace storekeeper {

// The history in a file, for one thread at a time. A file that cannot be used is set aside as
// `path`.aside, its log as `path`-wal.aside, and a new one begun with the rows that can be read of
// it: a second one that is set aside replaces the first. Only when that fails, or the disk is full,
// read-only or failing, is there an error; the next call tries again.
class HistoryStore {
  public:
    // File and log together stay below 1 MiB.
    static constexpr uint64_t kMaxFileBytes = (1 << 20) - Database::kMaxLogBytes;

    HistoryStore(Syscalls& calls, std::string path, uint64_t max_bytes = kMaxFileBytes);

    // Writes all of it or nothing. Once it has returned well, a power cut does not take it back.
    // After an error the disk may have kept it all the same: the same batch must be given again
    // before any other, which adds it once. Thins out what has become old.
    android::base::Result<void> Write(const HistoryBatch& batch, WallTime now);

    android::base::Result<HistorySnapshot> Read(WallTime now);

    // What became of a file that could not be used since the start; "" when nothing did.
    const std::string& note() const { return note_; }

  private:
    // Opens the file if it is not open, setting it aside if it must.
    android::base::Result<void> Open(WallTime now);
    // Goes on where an attempt that failed has left it.
    android::base::Result<void> TryOpen();
    void RemoveNew();
    android::base::Result<void> TryTwice(
            const std::function<android::base::Result<void>()>& attempt);
    bool IsFileAtFault() const;
    // Renames the file that cannot be used; `damaged` keeps it open.
    android::base::Result<void> SetAside(const std::string& why, Database* damaged);
    android::base::Result<void> BeginAnew(const std::string& why, WallTime now);
    android::base::Result<void> ThinOutIfDue(WallTime now);
    // Once more with a new file when the first attempt shows that the file is no good.
    android::base::Result<void> WithSecondChance(
            WallTime now, const std::function<android::base::Result<void>()>& work);

    bool Exists(const std::string& path) const;

    Syscalls& calls_;
    const std::string path_;
    const uint64_t max_bytes_;
    Database database_{calls_};
    // What is open was empty; has today's tables.
    bool is_new_ = false;
    bool is_ready_ = false;
    std::string note_;
    // The number of a batch whose writing has begun and not been reported as done.
    std::optional<int64_t> in_doubt_;
    // FoldedBefore() of the last time that it was thinned out.
    std::optional<int64_t> thinned_before_;
};

}  // namespace storekeeper
