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
#include "base/json_fields.h"
#include "base/mutex.h"
#include "base/record_file.h"
#include "maintenance/policy/policy.h"

namespace storekeeper {

// The policy's memory of runs. It is written seldom, because each write is a page of the flash. Any
// thread may call any method.
class RunMemory {
  public:
    // Loads the memory as last written. Both references must outlive this object.
    RunMemory(RecordFile& records, const Clock& clock, std::string boot_id);

    RunStamp Now() const { return StampOf(clock_, boot_id_); }
    PolicyState State() const EXCLUDES(lock_) {
        MutexLock guard(lock_);
        return state_;
    }
    // Why the memory cannot be written, as of the last attempt, with its errno.
    android::base::Result<void> Problem() const EXCLUDES(lock_) {
        MutexLock guard(lock_);
        return problem_;
    }
    // Checks whether the memory can be written. If it could not be read or written before, does so
    // now. Writes nothing if there was no problem.
    android::base::Result<void> Recheck() EXCLUDES(lock_, save_lock_);

    // Changes the memory and writes it, together with all other pending records. Readers do not
    // wait for the storage meanwhile. A file that could not be read is read first, and never
    // replaced before.
    void Remember(const std::function<void(PolicyState*)>& change) EXCLUDES(lock_, save_lock_);
    // Notes that a due run was refused, and by which gates. Written within four hours.
    void NoteRefusal(const Decision& decision) EXCLUDES(lock_);
    // Writes the memory if its changes are old enough.
    void WriteWhenWorthIt() EXCLUDES(lock_, save_lock_);

    // Period of writes while nothing but time has changed.
    static constexpr std::chrono::hours kWritePeriod{6};

  private:
    android::base::Result<void> LoadOnce() EXCLUDES(lock_) REQUIRES(save_lock_);
    void Note(const android::base::Result<void>& kept) EXCLUDES(lock_);

    RecordFile& records_;
    const Clock& clock_;
    const std::string boot_id_;
    // Serializes writes; taken before lock_.
    Mutex save_lock_;
    bool loaded_ GUARDED_BY(save_lock_) = false;
    mutable Mutex lock_;
    PolicyState state_ GUARDED_BY(lock_);
    // Largest age of the written memory. Absent: nothing but time has changed.
    std::optional<std::chrono::seconds> write_within_ GUARDED_BY(lock_);
    android::base::Result<void> problem_ GUARDED_BY(lock_);
};

// Payload of the record `state`.
void Fields(JsonFields& json, PolicyState& state);

}  // namespace storekeeper
