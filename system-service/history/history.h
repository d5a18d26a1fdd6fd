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

// The history as the service uses it, from any thread. Add() and Snapshot() never wait for the
// storage; Load() and Flush() do, and belong into a worker. It has no thread and no timer: it
// wakes nobody.
class History {
  public:
    // A kill or a power cut loses at most one day of on-time: after it the wear is worth a row
    // again, and each row of wear is flushed at once. docs/testing.md has the cost of a flush.
    static constexpr std::chrono::hours kWearAfter{24};
    // Two samples are at least this far apart unless there is news: a run takes less.
    static constexpr std::chrono::minutes kWearAtMost{30};
    History(Syscalls& calls, std::string path, const Clock& clock,
            uint64_t max_bytes = HistoryStore::kMaxFileBytes);

    // Left out when nothing has changed since the last of the same day, unless WearDue() is past.
    void Add(const WearSample& sample) EXCLUDES(lock_);
    void Add(const LatencySample& sample) EXCLUDES(lock_);
    // What was written since the last such call, not a total.
    void Add(const UidWrites& writes) EXCLUDES(lock_);
    void Add(const HistoryEvent& event) EXCLUDES(lock_);

    // When the next sample of wear is wanted: kWearAfter after the last one, BootTime::min() before
    // the first. That time goes on over a boot by the wall time of the last stored sample; a wall
    // clock that was set back since makes one due at once.
    BootTime WearDue() const EXCLUDES(lock_);
    // Whether a flush is worth its writing by now: what waits has wear or an event, or is much.
    bool IsFlushDue() const EXCLUDES(lock_);

    // Reads what is stored; writes only where there is a file that cannot be used.
    android::base::Result<void> Load() EXCLUDES(lock_, flush_lock_);
    // Writes what waits; without anything it touches no file. After an error it waits on, in
    // memory.
    android::base::Result<void> Flush() EXCLUDES(lock_, flush_lock_);

    // What is stored, as of the last Load() or Flush(), with what waits.
    std::shared_ptr<const HistorySnapshot> Snapshot() const EXCLUDES(lock_);

  private:
    BootTime WearDueNow() const REQUIRES(lock_);
    template <typename Row>
    void Queue(const Row& row, bool urgent) REQUIRES(lock_);
    // Reads the stored rows, or takes over those that were just written.
    android::base::Result<void> Renew(const HistoryBatch* written) REQUIRES(flush_lock_)
            EXCLUDES(lock_);
    static std::string Problem(const android::base::Result<void>& done);
    // Null when nothing waits.
    std::shared_ptr<const HistoryBatch> NextToWrite() EXCLUDES(lock_);

    const Clock& clock_;
    // One flush at a time; taken before lock_, which is never held while the storage works.
    Mutex flush_lock_;
    HistoryStore store_ GUARDED_BY(flush_lock_);
    mutable Mutex lock_;
    HistoryBatch pending_ GUARDED_BY(lock_);
    // What a flush writes, or has failed to write; null without one.
    std::shared_ptr<const HistoryBatch> writing_ GUARDED_BY(lock_);
    // Time of last_wear_; negative for one of an earlier boot, absent where that is not known.
    std::optional<BootTime> wear_at_ GUARDED_BY(lock_);
    bool urgent_ GUARDED_BY(lock_) = false;
    std::optional<WearSample> last_wear_ GUARDED_BY(lock_);
    // Empty, but not null, until it has been read.
    std::shared_ptr<const HistorySnapshot> stored_ GUARDED_BY(lock_);
    bool has_read_ GUARDED_BY(flush_lock_) = false;
    std::string problem_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
