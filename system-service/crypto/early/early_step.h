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

struct EarlyMechanisms {
    CryptoMechanism& skip_module;
    CryptoMechanism& software_length;
    CryptoMechanism& unbind;
    CryptoMechanism& capi;
    CryptoMechanism& priority;
};

struct EarlyReport {
    EarlyRefusal refusal = EarlyRefusal::kNone;  // the program's exit code
    CryptoMode mode = CryptoMode::kAuto;         // that was chosen
    // storekeeper.crypto.early: the mechanism's name, "none", or "refused:" and why.
    std::string outcome;
    std::vector<std::string> notes;  // a line each: what was tried, and why it was not done
};

// Applies what was chosen, once in a boot, before any volume is opened: counts the trial's boot,
// writes that down, then takes the first mechanism for this kernel that does not refuse. Whatever
// fails, the boot goes on with what the kernel does by itself.
EarlyReport RunEarlyStep(const EarlySeams& seams, const EarlyMechanisms& mechanisms);

}  // namespace storekeeper
