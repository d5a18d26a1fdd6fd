// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/chip_prior.h"

namespace storekeeper {
namespace {

constexpr double kGib = 1 << 30;

}  // namespace

std::optional<Normal> PriorOf(std::span<const ChipPrior> priors, const StorageHealth& chip) {
    const ChipFacts facts = ChipFactsOf(chip);
    for (const ChipPrior& prior : priors) {
        if (prior.model != facts.model) continue;
        if (!prior.firmware.empty() && prior.firmware != facts.firmware) continue;
        const double bytes = static_cast<double>(prior.gib_per_step) * kGib;
        return Normal{.mean = bytes,
                      .deviation = bytes * static_cast<double>(prior.spread_pct) / 100};
    }
    return std::nullopt;
}

}  // namespace storekeeper
