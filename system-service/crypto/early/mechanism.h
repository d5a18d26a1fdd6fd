// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_version.h"
#include "base/syscalls.h"
#include "crypto/inventory.h"

namespace storekeeper {

// Why a mechanism changes nothing. The numbers go to the log. vold with our patches reports the
// same names (docs/properties.md).
enum class MechanismRefusal {
    kNone = 0,
    kNoDriver = 30,         // the bus has no driver qcrypto
    kNoDevice = 31,         // that driver has no device
    kOtherDriver = 32,      // it is mainline's driver, which has a parameter of its own
    kEngineInUse = 33,      // counted again right before the change
    kNoCpuAes = 34,         // the CPU has no AES to take over
    kNoUnbind = 35,         // the file is absent, or may not be opened
    kUnbindFailed = 36,     // the kernel refused
    kNoEffect = 37,         // the kernel agreed, but the engine still serves
    kDriverLoaded = 38,     // too late to skip the module
    kNoTriggers = 39,       // the property could not be set
    kNoCpuDriver = 40,      // the CPU has no driver for the same cipher
    kNoNetlink = 41,        // the kernel lacks CONFIG_CRYPTO_USER
    kNotPermitted = 42,     // no CAP_NET_ADMIN, or the policy forbids it
    kPriorityFailed = 43,   // any other error
    kNoDmCrypt = 44,        // the kernel has no dm-crypt
    kOldDmCrypt = 45,       // dm-crypt before 1.17.0 accepts no driver's name
    kNewKernel = 46,        // Linux 5.10 and newer ignore the engine
    kNoParameter = 47,      // no aes_sw_max_len: another driver, or older than 5.7
    kParameterFailed = 48,  // it could not be read or written
};
// The refusal's name: "engine_in_use".
std::string_view RefusalName(MechanismRefusal refusal);

// A kind of device that the kernel's device mapper can make, with the version of that target:
// "crypt" 1.24.0.
struct DmTarget {
    std::string name;
    std::array<uint32_t, 3> version{};
};

// Opens the device mapper's control node for reading and writing. Needs CAP_SYS_ADMIN.
android::base::Result<android::base::unique_fd> OpenDmControl(Syscalls& syscalls);

// Calls DM_LIST_VERSIONS of linux/dm-ioctl.h, which names no device. Tables are never read, because
// they hold keys. Needs CAP_SYS_ADMIN.
android::base::Result<std::vector<DmTarget>> ListDmTargets(Syscalls& syscalls);

// Facts for all mechanisms; read once, before any of them acts.
struct EarlyFacts {
    CryptoTable table;
    // Version of the target crypt; absent if the kernel has none.
    std::optional<std::array<uint32_t, 3>> dm_crypt;
    std::optional<KernelVersion> kernel;

    // True if dm-crypt accepts drivers' names: from 1.17.0, Linux 4.12 (commit 33d2f09fcb35).
    // Without dm-crypt the kernel's version decides; an unknown version counts as new.
    bool TakesDriverNames() const;
};

struct MechanismOutcome {
    MechanismRefusal refusal = MechanismRefusal::kNone;
    std::string detail;  // for the log; "" if the name of the refusal says all
};

// A way to make the CPU encrypt instead of Qualcomm's engine. None of them changes mode, IV, key or
// sector size. After a refusal everything is as before.
using CryptoMechanism = std::function<MechanismOutcome(const EarlyFacts& facts)>;

}  // namespace storekeeper
