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
    CryptoMode mode = CryptoMode::kAuto;  // that counts
    CryptoChoice choice;
    std::string choice_file;  // "" where there is no place for one
    std::vector<std::string> notes;
    std::optional<CryptoMeasured> measured;
};

// Which engine encrypts, how fast it is, and the choice of another. Nothing here applies a choice:
// that is done before any volume is opened, with capabilities that this daemon does not have.
// Every method may be called from any thread; Measure(), Advise() and Confirm() take seconds, one
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
        // The mounts with the layer that encrypts each; ReadMountFacts().
        std::function<android::base::Result<MountAuditInputs>()> mounts;
    };
    struct Paths {
        android::base::Result<std::string> choice;  // FindChoiceFile()
        std::string speed;                          // a file of MeasureFileSpeed()
    };
    CryptoKeeper(const Seams& seams, Hooks hooks, const Paths& paths);

    // Reads /proc, /sys and properties; writes nothing.
    CryptoStatus Status() EXCLUDES(lock_);

    // What became of a choice that could not be read, until the next one; "" when nothing did.
    std::string ChoiceNote() const EXCLUDES(lock_);

    // `name` "" is the cipher of the first volume that can be switched, else xts(aes);
    // `key_bytes` 0 is what Android uses with it.
    android::base::Result<CryptoMeasured> Measure(const std::string& name = "",
                                                  size_t key_bytes = 0)
            EXCLUDES(lock_, measure_lock_);
    Recommendation Advise() EXCLUDES(lock_, measure_lock_);

    // On trial from the next boot on. Measures first, if nothing was measured since boot.
    android::base::Result<CryptoChoice> Choose(CryptoMode mode) EXCLUDES(lock_, measure_lock_);
    // Measures again and confirms, takes back or leaves it.
    android::base::Result<VerificationResult> Confirm() EXCLUDES(lock_, measure_lock_);
    android::base::Result<CryptoChoice> TakeBack() EXCLUDES(lock_);

    // How long Measure() takes.
    void SetPlan(const BenchmarkPlan& plan) EXCLUDES(lock_);

  private:
    CryptoInventory ReadInventory(std::vector<std::string>* notes) const;
    // Adds the volumes, and what could not be read to the notes; the inventory is there.
    void ReadVolumes(CryptoStatus* status) const;
    void WakeCpuDriver(const std::string& name);
    android::base::Result<void> MeasureFile(CryptoMeasured* to);
    Verification Look(bool want_cpu);
    android::base::Result<void> Save(const CryptoChoice& choice) EXCLUDES(lock_);

    const Seams seams_;
    const Hooks hooks_;
    const Paths paths_;
    // One measurement at a time; taken before lock_.
    Mutex measure_lock_;
    mutable Mutex lock_;
    CryptoChoice choice_ GUARDED_BY(lock_);
    std::string choice_note_ GUARDED_BY(lock_);
    std::optional<CryptoMeasured> measured_ GUARDED_BY(lock_);
    BenchmarkPlan plan_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
