// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>
#include <string>
#include <utility>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "crypto/early/crypto_priorities.h"
#include "crypto/early/mechanism.h"

namespace storekeeper {

using SetProperty = std::function<bool(const std::string& name, const std::string& value)>;

// Makes the device's init script skip the engine's module, if it is a module and not loaded yet:
// the script loads it only at storekeeper.crypto.engine=load. This is the safest mechanism, because
// nothing that is in use goes away.
class SkipModule : public CryptoMechanism {
  public:
    SkipModule(const FileReader& files, SetProperty set) : files_(files), set_(std::move(set)) {}

    std::string_view name() const override { return "skip_module"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;

  private:
    const FileReader& files_;
    const SetProperty set_;
};

// Sets aes_sw_max_len of mainline's driver (drivers/crypto/qce/skcipher.c, 5.7 and newer), which
// hands AES requests of at most that length to the CPU. It is safe while the driver is in use, and
// writing the old value reverts it.
class SoftwareLength : public CryptoMechanism {
  public:
    SoftwareLength(const FileReader& files, Syscalls& syscalls)
          : files_(files), syscalls_(syscalls) {}

    std::string_view name() const override { return "aes_sw_max_len"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;

  private:
    const FileReader& files_;
    Syscalls& syscalls_;
};

// Takes the engine away from its driver, so that its algorithms are gone until the next boot. In
// old kernels, crypto_unregister_alg() of an algorithm in use is a BUG(). So each algorithm is
// counted again right before, and one with a user prevents the change.
class UnbindEngine : public CryptoMechanism {
  public:
    UnbindEngine(const FileReader& files, Syscalls& syscalls)
          : files_(files), syscalls_(syscalls) {}

    std::string_view name() const override { return "unbind"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;

  private:
    const FileReader& files_;
    Syscalls& syscalls_;
};

// Leaves the change to vold with our patches. When storekeeper.crypto.choice is "kernel", it names
// the CPU's driver in the string for dm-crypt ("capi:cbc-aes-ce-..."). The early step sets that
// property for every choice that may take effect. This class only checks whether the kernel accepts
// it: whether vold has the patches is known only after boot.
class CapiThroughVold : public CryptoMechanism {
  public:
    std::string_view name() const override { return "capi"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;
    bool certain() const override { return false; }
};

// Puts the engine's drivers behind the CPU's for later requests. An instance of a template, such as
// essiv(...), keeps the priority that it was made with. So each driver that can be part of one, the
// CPU's too, gets its priority again, which makes the kernel forget the instances.
class LowerPriority : public CryptoMechanism {
  public:
    LowerPriority(const FileReader& files, CryptoPriorities& priorities)
          : files_(files), priorities_(priorities) {}

    std::string_view name() const override { return "priority"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;

  private:
    const FileReader& files_;
    CryptoPriorities& priorities_;
};

}  // namespace storekeeper
