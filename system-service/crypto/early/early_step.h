// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <string>
#include <vector>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "crypto/choice.h"
#include "crypto/early/mechanisms.h"

namespace storekeeper {

struct EarlySeams {
    const FileReader& files;
    Syscalls& syscalls;
    std::function<android::base::Result<std::vector<DmTarget>>()> targets;  // ListDmTargets()
    std::function<std::string(const std::string& name)> property;
    SetProperty set;
    android::base::Result<std::string> choice;  // FindChoiceFile()
    std::string kernel_release;
};

struct EarlyReport {
    EarlyRefusal refusal = EarlyRefusal::kNone;  // the program's exit code
    CryptoMode mode = CryptoMode::kAuto;         // the mode that was chosen
    // Value of storekeeper.crypto.early: the mechanism's name, "none", or "refused:" with the
    // reason.
    std::string outcome;
    std::vector<std::string> notes;  // one line each: an attempt, and the reason if it was refused
};

// Applies the choice, once in a boot, before any volume is opened. It counts the trial's boot,
// saves that, and then takes the first mechanism for this kernel that does not refuse. If anything
// fails, the boot continues with the kernel's own order of drivers.
EarlyReport RunEarlyStep(const EarlySeams& seams, const EarlyMechanisms& mechanisms);

}  // namespace storekeeper
