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

// How a phone is used and how its chip wears.
enum class LifeCase {
    kSteady,
    kDrift,   // write amplification that changes as the chip wears
    kBursts,  // most bytes in a few weeks; boots up to 60 days apart
    kChange,  // as kBursts, and after the forecast the use changes by a factor of e^(0.5 sigma)
    kHabits,  // use that changes by such a factor every half a year or so, before and after
};

// When a forecast is asked for.
enum class LifeStage {
    kEarly,   // within the first two steps that are watched
    kMiddle,  // with 25 to 75 % of the life used
};

// A phone with a known end: what the history holds of it at `now`.
struct Life {
    std::vector<WearSample> samples;
    WallTime now{};
    std::chrono::seconds left{};  // from now until 100 % are used
};

struct LifeGenerator {
    std::string_view name;
    // The same life from the same seed.
    Life (*draw)(LifeCase life_case, LifeStage stage, uint64_t seed);
};

// By days: a level of use with noise for each day and week, steps of life that differ by a write
// amplification which wanders.
Life DayByDay(LifeCase life_case, LifeStage stage, uint64_t seed);

// By blocks of flash and what users do: habits that come and go, files of heavy-tailed size, a
// write amplification that follows how full the phone is, cycles counted for the whole chip, and
// samples that miss days.
Life BlockByBlock(LifeCase life_case, LifeStage stage, uint64_t seed);

inline constexpr LifeGenerator kLifeGenerators[] = {{"days", DayByDay}, {"blocks", BlockByBlock}};

}  // namespace storekeeper
