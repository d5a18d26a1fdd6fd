// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crypto/inventory.h"

namespace storekeeper {

// auto: nothing is changed.
enum class CryptoMode { kAuto, kKernel, kHardware };

// "auto", "kernel", "hardware".
std::string_view ModeName(CryptoMode mode);
std::optional<CryptoMode> ModeOf(std::string_view name);

// What a choice is compared with. Only the same cipher and key size, by the same method at the same
// unit, compares.
struct CryptoBaseline {
    double write_mbps = 0;
    double read_mbps = 0;
    std::string method;  // one word: "af_alg", "file_io"; "dm_crypt" until November 2026
    uint32_t unit_bytes = 0;
    // As /proc/crypto names it; "" with "file_io", where the volume's own is measured.
    std::string cipher;
    uint32_t key_bytes = 0;
};

// What somebody chose, and how far it has come. It takes effect at boot, is on trial until it is
// confirmed, and is given up after two boots without that.
struct CryptoChoice {
    enum class Stage { kNone, kTrial, kConfirmed };

    CryptoMode mode = CryptoMode::kAuto;
    Stage stage = Stage::kNone;
    uint32_t boots = 0;          // of the trial, begun
    std::string chosen_boot_id;  // in which it was chosen
    std::string last_boot_id;    // the last one that was counted
    std::optional<CryptoBaseline> baseline;
    std::string reason;  // why it is as it is: "chosen", "confirmed", "two boots without ..."
};

// "none", "trial", "confirmed".
std::string_view StageName(CryptoChoice::Stage stage);

inline constexpr uint32_t kMaxTrialBoots = 2;
// A change that gains less is taken back.
inline constexpr double kMinGain = 1.10;

// The transitions; pure.

// `mode` from the next boot on, on trial; kAuto takes everything back at once. Without a baseline,
// an error: nothing may be changed that cannot be compared.
android::base::Result<CryptoChoice> Choose(CryptoMode mode,
                                           const std::optional<CryptoBaseline>& baseline,
                                           const std::string& boot_id);

// Why the early step leaves everything as it is; the number is its exit code.
enum class EarlyRefusal {
    kNone = 0,
    kNothingChosen = 10,
    kTrialFailed = 11,  // two boots without confirmation: back to auto
    kUnreadable = 12,   // /proc/crypto
    kReqCrypt = 13,     // a device whose key the engine alone has
    kQcomInUse = 14,    // somebody uses a qcom-* cipher
    kEngineInUse = 15,  // somebody uses the engine: to unbind it is a BUG() in the kernel
    kNoEngine = 16,     // there is nothing to switch off
    kNotSaved = 17,     // the count of boots could not be written down
    kNoPlace = 18,      // there is neither folder that a choice is kept in
    kNoBaseline = 19,   // bootloader or product say kernel, and nobody has measured and chosen it
    kOverruled = 20,    // the bootloader says something else than what was chosen
    kTargetsUnknown = 21,  // the device mapper does not say whether it has req-crypt
    kNoMechanism = 22,     // none of the mechanisms can do it here; each has a reason of its own
};
// "engine_in_use" and the like.
std::string_view RefusalName(EarlyRefusal refusal);

struct EarlyInputs {
    std::string boot_id;
    // Absent: /proc/crypto could not be read. All of it: an engine does hashes as well.
    std::optional<CryptoTable> table;
    bool req_crypt = false;  // a device of that target exists or may come
    bool targets_unknown = false;
    bool engine_waits = false;  // its device is there, its driver is not loaded yet
    std::string boot_word;      // ro.boot.storekeeper.crypto
    std::string product_word;   // ro.storekeeper.crypto
};
struct EarlyStep {
    CryptoChoice next;  // must be on the disk before anything is applied
    EarlyRefusal refusal = EarlyRefusal::kNone;
};
// Before any volume is opened, once in a boot. A trial's boot counts whether it is refused or not.
// The words of bootloader and product can only leave everything as it is: they have no baseline.
EarlyStep AtBoot(const CryptoChoice& choice, const EarlyInputs& inputs);

struct Verification {
    std::string boot_id;
    // Signs of the engine that was chosen, each of its own kind; and those of the other one.
    std::vector<std::string> signs;
    std::vector<std::string> against;
    std::optional<CryptoBaseline> measured;
    uint64_t io_errors = 0;
};
struct VerificationResult {
    enum class Result { kNotYet, kConfirmed, kRolledBack };

    CryptoChoice next;
    Result result = Result::kNotYet;
    std::string reason;
};
// After boot: confirms what is at least 10 % faster both ways by two signs; takes back what is not,
// what the signs speak against, and what had an I/O error. What is not known yet stays.
VerificationResult Verify(const CryptoChoice& choice, const Verification& verification);

CryptoChoice RollBack(const std::string& reason);

// Which mode counts: what the bootloader says, what was chosen, what the product says.
CryptoMode EffectiveMode(std::string_view boot_property, const CryptoChoice& choice,
                         std::string_view product_property);

}  // namespace storekeeper
