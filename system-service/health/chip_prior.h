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

// What a product knows of a kind of chip from others of it.
struct ChipPrior {
    // As the health report has them: name and fwrev of an eMMC, product_name and product_revision
    // of a UFS. Without a firmware every one is meant.
    std::string model;
    std::string firmware;
    int64_t gib_per_step = 0;  // written by the file system for each 10 % of life
    int64_t spread_pct = 0;    // standard deviation from phone to phone, of that

    bool operator==(const ChipPrior&) const = default;
};

// Bytes for each 10 % of life by the first prior that is of this chip; absent without one.
std::optional<Normal> PriorOf(std::span<const ChipPrior> priors, const StorageHealth& chip);

}  // namespace storekeeper
