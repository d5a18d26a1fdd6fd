// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/kernel_version.h"
#include "base/syscalls.h"
#include "crypto/inventory.h"

namespace storekeeper {

// Why a mechanism leaves everything as it is. The numbers go to the log, the names are those that
// vold with our patches reports them as well (docs/properties.md).
enum class MechanismRefusal {
    kNone = 0,
    kNoDriver = 30,         // the bus has no driver qcrypto
    kNoDevice = 31,         // that has no device
    kOtherDriver = 32,      // it is mainline's, which has a parameter of its own
    kEngineInUse = 33,      // counted once more, right before
    kNoCpuAes = 34,         // the CPU has no AES to take over with
    kNoUnbind = 35,         // no such file, or it may not be opened
    kUnbindFailed = 36,     // the kernel refused
    kNoEffect = 37,         // the kernel agreed, and the engine serves all the same
    kDriverLoaded = 38,     // too late to leave the module out
    kNoTriggers = 39,       // the property could not be set
    kNoCpuDriver = 40,      // no driver of the CPU serves the same cipher
    kNoNetlink = 41,        // a kernel without CONFIG_CRYPTO_USER
    kNotPermitted = 42,     // no CAP_NET_ADMIN, or the policy forbids it
    kPriorityFailed = 43,   // any other error
    kNoDmCrypt = 44,        // the kernel has no dm-crypt that takes a driver name
    kOldDmCrypt = 45,       // before 1.17.0 it takes no driver's name
    kNewKernel = 46,        // Linux 5.10 and newer pass over the engine
    kNoParameter = 47,      // no aes_sw_max_len: another driver, or older than 5.7
    kParameterFailed = 48,  // it could not be read or written
};
// "engine_in_use" and the like.
std::string_view RefusalName(MechanismRefusal refusal);

// A kind of device that the kernel's device mapper can make, and the version of that target:
// "crypt" 1.24.0.
struct DmTarget {
    std::string name;
    std::array<uint32_t, 3> version{};
};

// DM_LIST_VERSIONS of linux/dm-ioctl.h, which names no device. Tables are never asked for: they
// hold keys. Needs CAP_SYS_ADMIN.
android::base::Result<std::vector<DmTarget>> ListDmTargets(Syscalls& syscalls);

// What all of them look at; read once, before any of them acts.
struct EarlyFacts {
    CryptoTable table;
    // Of the target crypt; absent where the kernel has none.
    std::optional<std::array<uint32_t, 3>> dm_crypt;
    std::optional<KernelVersion> kernel;

    // dm-crypt 1.17.0, Linux 4.12 (commit 33d2f09fcb35). Without dm-crypt the kernel decides, and
    // one whose version is not known is none of the old ones.
    bool TakesDriverNames() const;
};

// One way of having the CPU encrypt instead of Qualcomm's engine. Every one leaves mode, IV, key
// and sector size as they are.
class CryptoMechanism {
  public:
    struct Outcome {
        MechanismRefusal refusal = MechanismRefusal::kNone;
        std::string detail;  // for the log; "" when the name of the refusal says all
    };

    virtual ~CryptoMechanism() = default;

    // One word, at most 16 characters.
    virtual std::string_view name() const = 0;
    // Whether this kernel and device have it. Changes nothing.
    virtual MechanismRefusal Probe(const EarlyFacts& facts) const = 0;
    // Does it. After a refusal everything is as it was before.
    virtual Outcome Apply(const EarlyFacts& facts) = 0;
    // False: somebody else does the rest, who may not be there; another one is tried as well.
    virtual bool certain() const { return true; }
};

}  // namespace storekeeper
