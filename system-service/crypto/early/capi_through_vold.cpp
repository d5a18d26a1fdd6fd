// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/capi_through_vold.h"

#include "crypto/inventory.h"

namespace storekeeper {
namespace {

// dm-crypt passes over drivers that allocate memory for each request (commit cd74693870fb).
constexpr KernelVersion kFirstThatPassesOver{5, 10};

}  // namespace

MechanismRefusal CapiThroughVold::Probe(const EarlyFacts& facts) const {
    if (!facts.dm_crypt.has_value()) return MechanismRefusal::kNoDmCrypt;
    if (!facts.TakesDriverNames()) return MechanismRefusal::kOldDmCrypt;
    if (!facts.kernel.has_value() || *facts.kernel >= kFirstThatPassesOver) {
        return MechanismRefusal::kNewKernel;
    }
    // vold's list has drivers in constant time only.
    const CryptoInventory inventory = MakeInventory(facts.table);
    const CryptoDriver* cpu = inventory.BestCpu("cbc(aes)");
    return cpu == nullptr || cpu->uses_tables ? MechanismRefusal::kNoCpuDriver
                                              : MechanismRefusal::kNone;
}

CryptoMechanism::Outcome CapiThroughVold::Apply(const EarlyFacts&) {
    return {.detail = "left to vold, which needs vold-patches/"};
}

}  // namespace storekeeper
