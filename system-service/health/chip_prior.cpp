// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/chip_prior.h"

#include <string_view>

namespace storekeeper {
namespace {

constexpr double kGib = 1 << 30;

std::string ValueOf(const StorageHealth& chip, std::string_view emmc, std::string_view ufs) {
    const std::string_view name = chip.kind == StorageHealth::Kind::kUfs ? ufs : emmc;
    for (const HealthItem& item : chip.items) {
        if (item.name == name) return item.value.value_or("");
    }
    return "";
}

}  // namespace

std::optional<Normal> PriorOf(std::span<const ChipPrior> priors, const StorageHealth& chip) {
    const std::string model = ValueOf(chip, "name", "product_name");
    const std::string firmware = ValueOf(chip, "fwrev", "product_revision");
    for (const ChipPrior& prior : priors) {
        if (prior.model != model) continue;
        if (!prior.firmware.empty() && prior.firmware != firmware) continue;
        const double bytes = static_cast<double>(prior.gib_per_step) * kGib;
        return Normal{.mean = bytes,
                      .deviation = bytes * static_cast<double>(prior.spread_pct) / 100};
    }
    return std::nullopt;
}

}  // namespace storekeeper
