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

// Has the device's init script leave the engine's module out, where it is one and is not loaded
// yet: the script loads it at storekeeper.crypto.engine=load alone. The safest of all: nothing that
// somebody could use goes away.
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

// Mainline's driver (drivers/crypto/qce/skcipher.c, 5.7 and newer) hands requests with AES of at
// most aes_sw_max_len bytes to the CPU. Safe whoever uses it, and taken back by writing.
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

// Takes the engine away from its driver, so that its algorithms are gone until the next boot. What
// crypto_unregister_alg() of old kernels meets a user with is BUG(): each algorithm is counted once
// more right before, and one that has a user stops it.
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

// vold with our patches names the CPU's driver in the string for dm-crypt ("capi:cbc-aes-ce-...")
// when storekeeper.crypto.choice says kernel, which the step sets for every choice that may take
// effect. Here it is only checked whether that can work: which vold there is shows after boot
// alone.
class CapiThroughVold : public CryptoMechanism {
  public:
    std::string_view name() const override { return "capi"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;
    bool certain() const override { return false; }
};

// Puts the engine's drivers behind the CPU's, for whoever asks from now on. An instance of a
// template keeps the priority it was made with, essiv(...) above all: every driver that one can be
// made of, the CPU's too, is given its priority anew, which has the kernel forget the instances.
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
