// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "health/wear_sample.h"

namespace storekeeper {

// The use of a phone and the wear of its chip.
enum class LifeCase {
    kSteady,
    kDrift,   // write amplification that changes as the chip wears
    kBursts,  // most bytes in a few weeks; boots up to 60 days apart
    kChange,  // as kBursts; after the forecast the use changes by a factor of e^(0.5 sigma)
    kHabits,  // use changes by such a factor every half a year or so, before and after the forecast
};

// Time at which a forecast is made.
enum class LifeStage {
    kEarly,   // within the first two steps that are observed
    kMiddle,  // with 25 to 75 % of the life used
};

// A phone with a known end: its history at `now`.
struct Life {
    std::vector<WearSample> samples;
    WallTime now{};
    std::chrono::seconds left{};  // from now until 100 % of the life is used
};

struct LifeGenerator {
    std::string_view name;
    // Draws a life; the same one for the same seed.
    Life (*draw)(LifeCase life_case, LifeStage stage, uint64_t seed);
};

// Model by days: a level of use with noise for each day and week, and steps of life that differ by
// a drifting write amplification.
Life DayByDay(LifeCase life_case, LifeStage stage, uint64_t seed);

// Model by blocks of flash and habits of users: habits that come and go, files of heavy-tailed
// size, a write amplification that depends on the fill level, erase cycles counted for the whole
// chip, and samples that miss days.
Life BlockByBlock(LifeCase life_case, LifeStage stage, uint64_t seed);

inline constexpr LifeGenerator kLifeGenerators[] = {{"days", DayByDay}, {"blocks", BlockByBlock}};

}  // namespace storekeeper
