// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/record_file.h"
#include "maintenance/policy/policy.h"

namespace storekeeper {

// The policy's memory of runs, and when it is written down: seldom, for each writing is a page of
// the flash. Every method may be called from any thread.
class RunMemory {
  public:
    // Loads what was written down last. Both must outlive this.
    RunMemory(RecordFile& records, const Clock& clock, std::string boot_id);

    RunStamp Now() const;
    PolicyState State() const EXCLUDES(lock_) {
        MutexLock guard(lock_);
        return state_;
    }
    // Why the memory cannot be written down, as of the last attempt; with its errno.
    android::base::Result<void> Problem() const EXCLUDES(lock_) {
        MutexLock guard(lock_);
        return problem_;
    }
    // Looks whether it can be written down, and makes up for what could not be read or written.
    // Writes nothing unless there was a problem.
    android::base::Result<void> Recheck() EXCLUDES(lock_, save_lock_);

    // Changes the memory and writes it down, with all that waits in the file. No reader waits for
    // the storage meanwhile. A file that could not be read is read first, and never replaced before
    // that.
    void Remember(const std::function<void(PolicyState*)>& change) EXCLUDES(lock_, save_lock_);
    // That a due run was refused, and by which gates; written down within four hours.
    void NoteRefusal(const Decision& decision) EXCLUDES(lock_);
    // Writes down what has changed, should that have become old enough.
    void WriteWhenWorthIt() EXCLUDES(lock_, save_lock_);

    // This seldom when nothing but time has passed.
    static constexpr std::chrono::hours kWritePeriod{6};

  private:
    android::base::Result<void> LoadOnce() EXCLUDES(lock_) REQUIRES(save_lock_);
    void Note(const android::base::Result<void>& kept) EXCLUDES(lock_);

    RecordFile& records_;
    const Clock& clock_;
    const std::string boot_id_;
    // One writing at a time; taken before lock_.
    Mutex save_lock_;
    bool loaded_ GUARDED_BY(save_lock_) = false;
    mutable Mutex lock_;
    PolicyState state_ GUARDED_BY(lock_);
    // How old the written memory may become; absent: nothing has changed but time.
    std::optional<std::chrono::seconds> write_within_ GUARDED_BY(lock_);
    android::base::Result<void> problem_ GUARDED_BY(lock_);
};

// The policy's memory as the payload of a record: entries `key value...`, a tab between them.
std::string FormatState(const PolicyState& state);
// Of an empty text, an empty memory.
android::base::Result<PolicyState> ParseState(const std::string& text);

}  // namespace storekeeper
