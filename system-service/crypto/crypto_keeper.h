// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/file_reader.h"
#include "base/mutex.h"
#include "base/syscalls.h"
#include "crypto/benchmark.h"
#include "crypto/choice.h"
#include "crypto/choice_store.h"
#include "crypto/cipher_calls.h"
#include "crypto/inventory.h"
#include "crypto/recommendation.h"
#include "crypto/volume_state.h"
#include "mounts/mount_audit.h"

namespace storekeeper {

struct CryptoStatus {
    CryptoInventory inventory;
    std::vector<VolumeState> volumes;
    uint64_t mounts_left_out = 0;         // MountAuditInputs::mounts_left_out
    CryptoMode mode = CryptoMode::kAuto;  // mode in force
    CryptoChoice choice;
    std::string choice_file;  // "" if no folder for it exists
    std::vector<std::string> notes;
    std::optional<CryptoMeasured> measured;
};

// Reports which engine encrypts and how fast it is, and keeps the choice of another. It applies no
// choice: the early step does that before any volume is opened, with capabilities that this daemon
// lacks. Any thread may call any method. Measure(), Advise() and Confirm() take seconds and run one
// at a time.
class CryptoKeeper {
  public:
    struct Seams {
        const FileReader& files;
        Syscalls& syscalls;
        CipherCalls& calls;
    };
    struct Hooks {
        std::function<std::string(const std::string& name)> property;
        // The mounts with the encryption layer of each; ReadMountFacts().
        std::function<android::base::Result<MountAuditInputs>()> mounts;
    };
    struct Paths {
        android::base::Result<std::string> choice;  // FindChoiceFile()
        std::string speed;                          // file of MeasureFileSpeed()
    };
    CryptoKeeper(const Seams& seams, Hooks hooks, const Paths& paths);

    // Reads /proc, /sys and properties. Writes nothing.
    CryptoStatus Status() EXCLUDES(lock_);

    // Reports a choice that could not be read, until the next one is made; else "".
    std::string ChoiceNote() const EXCLUDES(lock_);

    // An empty `name` is the cipher of the first volume that can be switched, or xts(aes).
    // `key_bytes` 0 is Android's key size for that cipher.
    android::base::Result<CryptoMeasured> Measure(const std::string& name = "",
                                                  size_t key_bytes = 0)
            EXCLUDES(lock_, measure_lock_);
    Recommendation Advise() EXCLUDES(lock_, measure_lock_);

    // Puts `mode` on trial from the next boot on; kAuto rolls back. Measures first unless this
    // daemon has measured the same cipher with Android's key size.
    android::base::Result<CryptoChoice> Choose(CryptoMode mode) EXCLUDES(lock_, measure_lock_);
    // Measures again, and confirms the choice, rolls it back or leaves it on trial.
    android::base::Result<VerificationResult> Confirm() EXCLUDES(lock_, measure_lock_);
    android::base::Result<CryptoChoice> RollBack() EXCLUDES(lock_);

    // Sets the load and duration of Measure().
    void SetPlan(const BenchmarkPlan& plan) EXCLUDES(lock_);

  private:
    CryptoInventory ReadInventory(std::vector<std::string>* notes) const;
    // Adds the volumes to `status`, whose inventory must be read already. Adds a note if the mounts
    // cannot be read.
    void ReadVolumes(CryptoStatus* status) const;
    void WakeCpuDriver(const std::string& name);
    android::base::Result<void> MeasureFile(CryptoMeasured* to);
    Verification CollectSigns(bool want_cpu);
    android::base::Result<void> Save(const CryptoChoice& choice) EXCLUDES(lock_);

    const Seams seams_;
    const Hooks hooks_;
    const Paths paths_;
    // Serializes measurements; taken before lock_.
    Mutex measure_lock_;
    mutable Mutex lock_;
    CryptoChoice choice_ GUARDED_BY(lock_);
    std::string choice_note_ GUARDED_BY(lock_);
    std::optional<CryptoMeasured> measured_ GUARDED_BY(lock_);
    BenchmarkPlan plan_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
