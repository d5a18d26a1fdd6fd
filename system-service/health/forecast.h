// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "health/ledger.h"
#include "health/normal.h"

namespace storekeeper {

// Bytes written for each 10 % of life.
struct BytesPerStep {
    uint64_t low = 0;
    uint64_t middle = 0;
    uint64_t high = 0;
};

// When the chip reaches the end of its rated life (life time 0x0b), if it goes on being written to
// as while it was watched.
struct Forecast {
    enum class State { kUnknown, kRange };

    State state = State::kUnknown;
    std::string reason;  // why it is unknown; "" when it is not
    WallTime made{};
    // kRange: both. kUnknown: earliest alone may be known, the end does not come before.
    std::optional<WallTime> earliest;
    std::optional<WallTime> latest;
    // How many of a hundred such ranges hold the end. Present for kRange.
    std::optional<int> confidence_pct;
    std::optional<uint64_t> bytes_per_day;
    std::optional<BytesPerStep> bytes_per_step;  // absent while no whole step was seen
    std::string line;                            // for people
};

// Silent rather than wrong: kUnknown wherever a whole step between two seen edges, weeks that do
// not differ too much or a clock to be believed is missing. `now` is the wall clock's. With a
// `prior`, what chips of this kind are known to bear for each 10 % of life, in bytes, no whole step
// need have been seen.
Forecast MakeForecast(const Ledger& ledger, WallTime now,
                      const std::optional<Normal>& prior = std::nullopt);

// "2031-02"; of UTC.
std::string MonthText(WallTime wall);

}  // namespace storekeeper
