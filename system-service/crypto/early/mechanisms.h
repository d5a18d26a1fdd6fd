// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <string>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "crypto/early/crypto_priorities.h"
#include "crypto/early/mechanism.h"

namespace storekeeper {

using SetProperty = std::function<bool(const std::string& name, const std::string& value)>;

// Makes the device's init script skip the engine's module, if it is a module and not loaded yet:
// the script loads it only at storekeeper.crypto.engine=load. This is the safest mechanism, because
// nothing that is in use goes away.
MechanismOutcome SkipModule(const FileReader& files, const SetProperty& set);

// Sets aes_sw_max_len of mainline's driver (drivers/crypto/qce/skcipher.c, 5.7 and newer), which
// hands AES requests of at most that length to the CPU. It is safe while the driver is in use, and
// writing the old value reverts it.
MechanismOutcome SetSoftwareLength(const FileReader& files, Syscalls& syscalls,
                                   const EarlyFacts& facts);

// Takes the engine away from its driver, so that its algorithms are gone until the next boot. In
// old kernels, crypto_unregister_alg() of an algorithm in use is a BUG(). So each algorithm is
// counted again right before, and one with a user prevents the change.
MechanismOutcome UnbindEngine(const FileReader& files, Syscalls& syscalls, const EarlyFacts& facts);

// Leaves the change to vold with our patches. When storekeeper.crypto.choice is "kernel", it names
// the CPU's driver in the string for dm-crypt ("capi:cbc-aes-ce-..."). The early step sets that
// property for every choice that may take effect. This function only checks whether the kernel
// accepts it: whether vold has the patches is known only after boot.
MechanismOutcome LeaveToVold(const EarlyFacts& facts);

// Puts the engine's drivers behind the CPU's for later requests. An instance of a template, such as
// essiv(...), keeps the priority that it was made with. So each driver that can be part of one, the
// CPU's too, gets its priority again, which makes the kernel forget the instances.
MechanismOutcome LowerPriority(const FileReader& files, CryptoPriorities& priorities,
                               const EarlyFacts& facts);

struct EarlyMechanisms {
    CryptoMechanism skip_module;
    CryptoMechanism software_length;
    CryptoMechanism unbind;
    CryptoMechanism capi;
    CryptoMechanism priority;
};

// The mechanisms above on these seams, which must outlive the result.
EarlyMechanisms MechanismsOf(const FileReader& files, Syscalls& syscalls,
                             CryptoPriorities& priorities, const SetProperty& set);

}  // namespace storekeeper
