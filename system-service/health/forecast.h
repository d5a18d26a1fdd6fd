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

// Bytes written per 10 % of life.
struct BytesPerStep {
    uint64_t low = 0;
    uint64_t middle = 0;
    uint64_t high = 0;
};

// The time at which the chip reaches the end of its rated life (life time 0x0b), if writes continue
// as observed.
struct Forecast {
    enum class State { kUnknown, kRange };

    State state = State::kUnknown;
    std::string reason;  // reason for kUnknown, else ""
    WallTime made{};
    // kRange has both. kUnknown has at most `earliest`, a date before which the end does not come.
    std::optional<WallTime> earliest;
    std::optional<WallTime> latest;
    // The share of such ranges, in percent, that contain the end. Present for kRange.
    std::optional<int> confidence_pct;
    std::optional<uint64_t> bytes_per_day;
    std::optional<BytesPerStep> bytes_per_step;  // absent before a complete step was seen
    std::string line;                            // text for people
};

// Gives no range rather than a wrong one. It needs a complete step between two observed edges,
// weeks of similar writes and a trustworthy clock; otherwise the state is kUnknown. `now` is the
// wall clock's time. `prior` holds the bytes that chips of this kind bear per 10 % of life; with it
// no complete step is needed.
Forecast MakeForecast(const Ledger& ledger, WallTime now,
                      const std::optional<Normal>& prior = std::nullopt);

// Year and month in UTC: "2031-02".
std::string MonthText(WallTime wall);

}  // namespace storekeeper
