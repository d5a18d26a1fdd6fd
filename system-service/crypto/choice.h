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

// kAuto changes nothing.
enum class CryptoMode { kAuto, kKernel, kHardware };

// The mode's name: "auto", "kernel", "hardware".
std::string_view ModeName(CryptoMode mode);
std::optional<CryptoMode> ModeOf(std::string_view name);

// The measurement that a choice is compared with. Only measurements by the same method, of the same
// cipher and key size and in the same unit, are comparable.
struct CryptoBaseline {
    double write_mbps = 0;
    double read_mbps = 0;
    std::string method;  // one word: "af_alg", "file_io"; "dm_crypt" until November 2026
    uint32_t unit_bytes = 0;
    // Name in /proc/crypto; "" with "file_io", which measures the volume's own cipher.
    std::string cipher;
    uint32_t key_bytes = 0;
};

// The choice of an engine, with its progress. It takes effect at boot, is on trial until it is
// confirmed, and is given up after two boots without confirmation.
struct CryptoChoice {
    enum class Stage { kNone, kTrial, kConfirmed };

    CryptoMode mode = CryptoMode::kAuto;
    Stage stage = Stage::kNone;
    uint32_t boots = 0;          // boots of the trial so far
    std::string chosen_boot_id;  // boot in which it was chosen
    std::string last_boot_id;    // last boot that was counted
    std::optional<CryptoBaseline> baseline;
    std::string reason;  // why it is in this stage: "chosen", "confirmed", "two boots without ..."
};

// The stage's name: "none", "trial", "confirmed".
std::string_view StageName(CryptoChoice::Stage stage);

inline constexpr uint32_t kMaxTrialBoots = 2;
// A change that gains less is rolled back.
inline constexpr double kMinGain = 1.10;

// Transitions of a choice. These functions read nothing but their arguments.

// Puts `mode` on trial from the next boot on; kAuto rolls back at once. An error without a
// baseline: a change that cannot be compared is not permitted.
android::base::Result<CryptoChoice> MakeChoice(CryptoMode mode,
                                               const std::optional<CryptoBaseline>& baseline,
                                               const std::string& boot_id);

// Why the early step changes nothing. The number is its exit code.
enum class EarlyRefusal {
    kNone = 0,
    kNothingChosen = 10,
    kTrialFailed = 11,     // two boots without confirmation: back to auto
    kUnreadable = 12,      // /proc/crypto is unreadable
    kReqCrypt = 13,        // a device may exist whose key only the engine has
    kQcomInUse = 14,       // a qcom-* cipher is in use
    kEngineInUse = 15,     // the engine is in use: unbinding it is a BUG() in the kernel
    kNoEngine = 16,        // no engine to switch off
    kNotSaved = 17,        // the count of boots could not be saved
    kNoPlace = 18,         // neither folder for a choice exists
    kNoBaseline = 19,      // bootloader or product say kernel, but nothing was measured and chosen
    kOverruled = 20,       // the bootloader contradicts the choice
    kTargetsUnknown = 21,  // the device mapper does not report whether it has req-crypt
    kNoMechanism = 22,     // no mechanism works here; the log has the reason of each
};
// The refusal's name in properties and reasons: "engine_in_use".
std::string_view RefusalName(EarlyRefusal refusal);

struct EarlyInputs {
    std::string boot_id;
    // The whole table, because an engine also does hashes. Absent if /proc/crypto could not be
    // read.
    std::optional<CryptoTable> table;
    bool req_crypt = false;  // the device mapper has that target
    bool targets_unknown = false;
    bool has_unloaded_engine = false;  // its device exists, but its driver is not loaded yet
    std::string boot_word;             // ro.boot.storekeeper.crypto
    std::string product_word;          // ro.storekeeper.crypto
};
struct EarlyStep {
    CryptoChoice next;  // must be on the disk before anything is applied
    EarlyRefusal refusal = EarlyRefusal::kNone;
};
// Call it once in a boot, before any volume is opened. A trial's boot counts even if it is refused.
// The words of bootloader and product can only prevent a change: they have no baseline.
EarlyStep AtBoot(const CryptoChoice& choice, const EarlyInputs& inputs);

struct Verification {
    std::string boot_id;
    // Indications that the chosen engine is in use, each of its own kind, and indications of the
    // other one.
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
// Call it after boot. Confirms a choice of the CPU that has two indications and is at least 10 %
// faster in both directions; going back to the engine needs no gain. Rolls back after an I/O error,
// an indication of the other engine, or a smaller gain. Anything unknown leaves the trial open.
VerificationResult Verify(const CryptoChoice& choice, const Verification& verification);

CryptoChoice RollBack(const std::string& reason);

// The mode in force: the bootloader's word, else the choice, else the product's word.
CryptoMode EffectiveMode(std::string_view boot_property, const CryptoChoice& choice,
                         std::string_view product_property);

}  // namespace storekeeper
