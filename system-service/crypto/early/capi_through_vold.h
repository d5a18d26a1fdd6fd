// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "crypto/early/mechanism.h"

namespace storekeeper {

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

}  // namespace storekeeper
