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
#include "base/file_reader.h"
#include "base/mutex.h"
#include "base/record_file.h"
#include "base/syscalls.h"
#include "maintenance/canary/canary.h"
#include "maintenance/canary/canary_file.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

// Finds out on this chip whether a discard harms what lies beside it, before the first trim, and
// watches that it stays so. All file systems of a chip share its verdict; the canary itself is a
// file of /data. Every method may be called from any thread; Examine(), Recheck() and Lift() wait
// for the storage, the others do not.
class ChipGuard {
  public:
    struct Seams {
        Syscalls& syscalls;
        const FileReader& files;
        const Clock& clock;
        RecordFile& records;
    };
    struct Terms {
        std::string canary;  // the file's path, on /data
        // How long the policy's runs wait for the canary to be read after a restart; 0: they do
        // not.
        std::chrono::seconds restart_wait{};
    };
    // Trims this range of /data, in bytes of the file system, and returns what the file system
    // claims. EINTR: the run was stopped.
    using Discard = std::function<android::base::Result<uint64_t>(uint64_t start, uint64_t length)>;

    struct Examined {
        TrimAdmission admission;
        uint64_t written_bytes = 0;  // of canaries, now
    };

    ChipGuard(const Seams& seams, Terms terms);

    // Before a trim of the file system on these devices: reads the chip's canary, or plants one and
    // trims beside it, and remembers the result. `discard` is null if /data must not be trimmed.
    Examined Examine(const std::vector<dev_t>& devices, bool manual, const Discard* discard)
            EXCLUDES(guard_lock_);

    // Reads the canary again, where there is one.
    void Recheck() EXCLUDES(guard_lock_);

    // Why nothing on the chip of one of these devices may ever be trimmed; absent when it may.
    std::optional<std::string> Quarantine(const std::vector<dev_t>& devices) const;
    // Why a run of the policy must not trim them yet; absent when it may.
    std::optional<std::string> Waiting(const std::vector<dev_t>& devices) const;
    // True if any chip is waiting. Reads memory only.
    bool AnyWaits() const;

    // Forgets what is known of chips in quarantine, so that the next run examines them anew.
    // Returns how many these were.
    android::base::Result<size_t> Lift() EXCLUDES(guard_lock_);

    std::vector<ChipTrust> chips() const EXCLUDES(parsed_lock_);

  private:
    // /data and what is special about its mount.
    struct Place {
        Mount mount;
        bool discards_itself = false;
    };

    BootMoment Now() const;
    ChipTrust Find(const std::string& id) const;
    // Stores the record in memory and writes it to state.log.
    android::base::Result<void> Keep(const ChipTrust& trust);
    // Keep() if the trust has changed; errors and a new quarantine go to the log.
    void KeepChange(const ChipTrust& before, const ChipTrust& trust);
    CanaryReading Read(const ChipTrust& trust, const Place& place);
    ChipTrust ReadAgain(ChipTrust trust, const Place& place);
    // Plants a canary where there is none, trims beside it, and reads it.
    ChipTrust Prove(ChipTrust trust, const Place& place, const Discard& discard, uint64_t* written);
    android::base::Result<void> Plant(const Place& place, ChipTrust* trust, uint64_t* written);
    // Whether the trial has a result; else another canary may.
    bool Try(const Place& place, const Discard& discard, bool is_new, ChipTrust* trust);
    ChipTrust Failed(ChipTrust trust, const std::string& why) const;

    const Seams seams_;
    const Terms terms_;
    const std::string boot_id_;
    CanaryFile file_;
    // Serializes access to the canary file.
    Mutex guard_lock_;
    // What the record says, as last parsed.
    mutable Mutex parsed_lock_;
    mutable std::string parsed_text_ GUARDED_BY(parsed_lock_);
    mutable std::vector<ChipTrust> parsed_ GUARDED_BY(parsed_lock_);
};

}  // namespace storekeeper
