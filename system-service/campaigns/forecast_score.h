// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>

#include "campaigns/lives.h"

namespace storekeeper {

// Comparison of the product's forecasts for many phones with their real ends.
struct ForecastScore {
    int phones = 0;
    int ranges = 0;   // ranges given in the middle of the life
    int covered = 0;  // ranges that contain the end
    // Width of a range as a share of the remaining life.
    double median_width = 0;
    int not_before = 0;  // forecasts that have only an earliest date
    int broken = 0;      // earliest dates that are after the end
};

// Asks for two forecasts per phone, in two lives: early, and in the middle of the life.
ForecastScore ScoreForecasts(const LifeGenerator& generator, LifeCase life_case, uint64_t seed,
                             int phones);

}  // namespace storekeeper
