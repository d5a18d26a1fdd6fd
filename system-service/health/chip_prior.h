// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "health/normal.h"
#include "health/storage_health.h"

namespace storekeeper {

// A manufacturer's knowledge of a kind of chip, from other chips of that kind.
struct ChipPrior {
    // Spelled as in the health report: name and fwrev of an eMMC, product_name and product_revision
    // of a UFS. An empty firmware matches any.
    std::string model;
    std::string firmware;
    int64_t gib_per_step = 0;  // file system writes per 10 % of life
    int64_t spread_pct = 0;    // standard deviation of gib_per_step among phones, in percent

    bool operator==(const ChipPrior&) const = default;
};

// Bytes per 10 % of life from the first prior that matches this chip; nullopt if none does.
std::optional<Normal> PriorOf(std::span<const ChipPrior> priors, const StorageHealth& chip);

}  // namespace storekeeper
