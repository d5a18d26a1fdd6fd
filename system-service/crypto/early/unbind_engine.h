// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "crypto/early/mechanism.h"

namespace storekeeper {

// Takes the engine away from its driver, so that its algorithms are gone until the next boot. What
// crypto_unregister_alg() of old kernels meets a user with is BUG(): each algorithm is counted once
// more right before, and one that has a user stops it.
class UnbindEngine : public CryptoMechanism {
  public:
    UnbindEngine(const FileReader& files, Syscalls& syscalls);

    std::string_view name() const override { return "unbind"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;

  private:
    Outcome Rebind(const std::vector<std::string>& devices, Outcome outcome);

    const FileReader& files_;
    Syscalls& syscalls_;
};

}  // namespace storekeeper
