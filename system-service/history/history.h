// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "history/rows.h"
#include "history/snapshot.h"
#include "history/store.h"

namespace storekeeper {

// The service's history, usable from any thread. Add() and Snapshot() never wait for the storage.
// Load() and Flush() do and belong into a worker thread. The class has no thread and no timer, so
// it never wakes the device.
class History {
  public:
    // A kill or a power cut loses at most one day of being switched on: after that time the wear
    // gets a row again, and each row of wear is flushed at once. lab/tests/test_history.py
    // measures the cost of a flush.
    static constexpr std::chrono::hours kWearAfter{24};
    // Minimum distance of two samples without news; longer than a run.
    static constexpr std::chrono::minutes kWearAtMost{30};
    History(Syscalls& calls, std::string path, const Clock& clock,
            uint64_t max_bytes = HistoryStore::kMaxFileBytes);

    // Skipped if nothing has changed since the last sample of the same day and kWearAtMost is not
    // over.
    void Add(const WearSample& sample) EXCLUDES(lock_);
    void Add(const LatencySample& sample) EXCLUDES(lock_);
    // Adds the writes since the previous call, not a total.
    void Add(const UidRow& row) EXCLUDES(lock_);
    void Add(const HistoryEvent& event) EXCLUDES(lock_);

    // Time at which the next wear sample is due: kWearAfter after the last one, BootTime::min()
    // before the first. After a boot, the wall time of the last stored sample continues this
    // period; if the wall clock was set back since, a sample is due at once.
    BootTime WearDue() const EXCLUDES(lock_);
    // True if a flush is worth its writes: wear or an event is waiting, or many rows are.
    bool IsFlushDue() const EXCLUDES(lock_);

    // Reads the stored rows. Writes only if an unusable file must be replaced.
    android::base::Result<void> Load() EXCLUDES(lock_, flush_lock_);
    // Writes the waiting rows; without any it touches no file. After an error they stay in memory.
    android::base::Result<void> Flush() EXCLUDES(lock_, flush_lock_);

    // The rows as of the last Load() or Flush(), plus the waiting ones.
    std::shared_ptr<const HistorySnapshot> Snapshot() const EXCLUDES(lock_);

  private:
    BootTime WearDueNow() const REQUIRES(lock_);
    template <typename Row>
    void Queue(const Row& row, bool urgent) REQUIRES(lock_);
    // Reads the stored rows again, or adds the rows `written` to the known ones.
    android::base::Result<void> RefreshSnapshot(const HistoryBatch* written) REQUIRES(flush_lock_)
            EXCLUDES(lock_);
    static std::string Problem(const android::base::Result<void>& done);
    // The next batch to write; null if nothing is waiting.
    std::shared_ptr<const HistoryBatch> NextToWrite() EXCLUDES(lock_);

    const Clock& clock_;
    // Serializes flushes. Taken before lock_, which is never held during I/O.
    Mutex flush_lock_;
    HistoryStore store_ GUARDED_BY(flush_lock_);
    mutable Mutex lock_;
    HistoryBatch pending_ GUARDED_BY(lock_);
    // The batch that a flush is writing or failed to write; null if there is none.
    std::shared_ptr<const HistoryBatch> writing_ GUARDED_BY(lock_);
    // Time of last_wear_; negative for a sample of an earlier boot, absent if unknown.
    std::optional<BootTime> wear_at_ GUARDED_BY(lock_);
    bool urgent_ GUARDED_BY(lock_) = false;
    std::optional<WearSample> last_wear_ GUARDED_BY(lock_);
    // Never null; empty before the first read.
    std::shared_ptr<const HistorySnapshot> stored_ GUARDED_BY(lock_);
    bool has_read_ GUARDED_BY(flush_lock_) = false;
    std::string problem_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
