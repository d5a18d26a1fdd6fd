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

// The history in a file, for one thread at a time. An unusable file is set aside as `path`.aside,
// its log as `path`-wal.aside, and its readable rows are copied into a new file. A second file that
// is set aside replaces the first. A call fails only if that fails, or if the disk is full,
// read-only or failing; the next call tries again.
class HistoryStore {
  public:
    // File and log together stay below 1 MiB.
    static constexpr uint64_t kMaxFileBytes = (1 << 20) - Database::kMaxLogBytes;

    HistoryStore(Syscalls& calls, std::string path, uint64_t max_bytes = kMaxFileBytes);

    // Writes the whole batch or nothing; after success a power cut does not undo it. After an error
    // the disk may have kept the batch nevertheless. The caller must then pass the same batch again
    // before any other, and it is added once. Also thins out old rows.
    android::base::Result<void> Write(const HistoryBatch& batch, WallTime now);

    android::base::Result<HistorySnapshot> Read(WallTime now);

    // Report about an unusable file since the start; "" if there was none.
    const std::string& note() const { return note_; }

  private:
    // Opens the file unless it is open, and sets it aside if it is unusable.
    android::base::Result<void> OpenOrReplace(WallTime now);
    // Opens the file and its tables, from the point where a failed attempt stopped.
    android::base::Result<void> OpenAndMigrate();
    void RemoveNewFile();
    // Opens the file and runs `attempt`; once more if either fails.
    android::base::Result<void> RetryOnce(
            const std::function<android::base::Result<void>()>& attempt);
    bool IsFileAtFault() const;
    // Renames the unusable file; `damaged` keeps it open.
    android::base::Result<void> SetAside(const std::string& why, Database* damaged);
    android::base::Result<void> ReplaceDatabase(const std::string& why, WallTime now);
    android::base::Result<void> ThinOutIfDue(WallTime now);
    // Runs `work`, and once more with a new file if the first attempt shows that the file is
    // unusable.
    android::base::Result<void> RunOrReplace(
            WallTime now, const std::function<android::base::Result<void>()>& work);

    bool Exists(const std::string& path) const;

    Syscalls& calls_;
    const std::string path_;
    const uint64_t max_bytes_;
    Database database_{calls_};
    // is_new_: the open file was empty. is_ready_: it has the current tables.
    bool is_new_ = false;
    bool is_ready_ = false;
    std::string note_;
    // Number of a batch whose write has begun without a reported success.
    std::optional<int64_t> unconfirmed_batch_;
    // FoldedBefore() at the last thinning.
    std::optional<int64_t> thinned_before_;
};

}  // namespace storekeeper
