// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file_reader.h"
#include "crypto/early/crypto_priorities.h"
#include "crypto/early/mechanism.h"

namespace storekeeper {

// Puts the engine's drivers behind the CPU's, for whoever asks from now on. An instance of a
// template keeps the priority it was made with, essiv(...) above all: every driver that one can be
// made of, the CPU's too, is given its priority anew, which has the kernel forget the instances.
class LowerPriority : public CryptoMechanism {
  public:
    LowerPriority(const FileReader& files, CryptoPriorities& priorities);

    std::string_view name() const override { return "priority"; }
    MechanismRefusal Probe(const EarlyFacts& facts) const override;
    Outcome Apply(const EarlyFacts& facts) override;

  private:
    struct Driver {
        std::string name;
        std::string driver;
        uint32_t before = 0;
        uint32_t wanted = 0;
    };
    static std::vector<Driver> Plan(const CryptoTable& table);
    Outcome Restore(const std::vector<Driver>& done, Outcome outcome);

    const FileReader& files_;
    CryptoPriorities& priorities_;
};

}  // namespace storekeeper
