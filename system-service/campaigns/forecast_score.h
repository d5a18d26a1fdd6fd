// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>

#include "campaigns/lives.h"

namespace storekeeper {

// How the product's forecasts of many phones compare with what became of them.
struct ForecastScore {
    int phones = 0;
    int ranges = 0;   // asked in the middle of the life, and given
    int covered = 0;  // of these
    // Of a range, as a part of what was left.
    double median_width = 0;
    int not_before = 0;  // forecasts that have no more than such a date
    int broken = 0;      // of these
};

// Each phone is asked twice, in two lives: early, and in the middle of its life.
ForecastScore ScoreForecasts(const LifeGenerator& generator, LifeCase life_case, uint64_t seed,
                             int phones);

}  // namespace storekeeper
