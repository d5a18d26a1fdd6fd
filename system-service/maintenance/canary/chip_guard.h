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

// Finds out before the first trim of a chip whether a discard harms neighbouring data, and keeps
// watching later. All file systems of a chip share its verdict; the canary itself is a file of
// /data. Any thread may call any method. Examine(), Recheck() and LiftQuarantine() wait for the
// storage, the others do not.
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
        // Time that runs of the policy wait for the canary to be read after a restart; 0: they do
        // not wait.
        std::chrono::seconds restart_wait{};
    };
    // Trims this range of /data, in bytes of the file system, and returns the file system's claim.
    // EINTR: the run was stopped.
    using Discard = std::function<android::base::Result<uint64_t>(uint64_t start, uint64_t length)>;

    ChipGuard(const Seams& seams, Terms terms);

    // Call it before a trim of the file system on these devices. It reads the chip's canary, or
    // plants one and trims beside it, and remembers the result. `discard` is null if /data must not
    // be trimmed.
    TrimAdmission Examine(const std::vector<dev_t>& devices, bool manual, const Discard* discard)
            EXCLUDES(guard_lock_);

    // Reads the canary again if there is one.
    void Recheck() EXCLUDES(guard_lock_);

    // Why nothing on the chip of one of these devices may be trimmed until root lifts the
    // quarantine. Absent if it may.
    std::optional<std::string> QuarantineReason(const std::vector<dev_t>& devices) const;
    // Why a run of the policy must not trim these devices yet. Absent if it may.
    std::optional<std::string> WaitReason(const std::vector<dev_t>& devices) const;

    // Forgets the verdict of chips in quarantine, so that the next run examines them anew. Returns
    // their number.
    android::base::Result<size_t> LiftQuarantine() EXCLUDES(guard_lock_);

    std::vector<ChipTrust> chips() const EXCLUDES(parsed_lock_);

  private:
    RunStamp Now() const { return StampOf(seams_.clock, boot_id_); }
    // Stores the record in memory and writes it to state.log.
    android::base::Result<void> Record(const ChipTrust& trust);
    // Record() if the trust has changed; errors and a new quarantine go to the log.
    void RecordChange(const ChipTrust& before, const ChipTrust& trust);
    // `data` is the mount of /data.
    CanaryReading Read(const ChipTrust& trust, const Mount& data);
    ChipTrust ReadAgain(ChipTrust trust, const Mount& data);
    // Plants a canary if there is none, trims beside it, and reads it.
    ChipTrust ProveHarmless(ChipTrust trust, const Mount& data, const Discard& discard);
    android::base::Result<void> Plant(const Mount& data, ChipTrust* trust);
    // True if the trial has a result. False if another canary may have one.
    bool Try(const Mount& data, const Discard& discard, bool is_new, ChipTrust* trust);
    ChipTrust TrialFailed(ChipTrust trust, const std::string& why) const;

    const Seams seams_;
    const Terms terms_;
    const std::string boot_id_;
    CanaryFile file_;
    // Serializes access to the canary file.
    Mutex guard_lock_;
    // Cache of the parsed record.
    mutable Mutex parsed_lock_;
    mutable std::string parsed_text_ GUARDED_BY(parsed_lock_);
    mutable std::vector<ChipTrust> parsed_ GUARDED_BY(parsed_lock_);
};

}  // namespace storekeeper
