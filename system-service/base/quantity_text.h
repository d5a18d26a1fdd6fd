// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace storekeeper {

// "1 step", "2 steps": for nouns with a regular plural.
inline std::string Counted(uint64_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

// "1 h 12 min": the two largest units.
std::string DurationText(int64_t seconds);

// A gate's value in its unit (Gate::unit) for people: "1 h 12 min", "50 %", "40.0 C", "yes".
std::string QuantityText(int64_t value, const std::string& unit);

// A number with one decimal, and with as many more as a small one takes to show two digits:
// "419.4", "0.042". At most 6 decimals; "0.0" below those.
std::string FigureText(double value);

// Bytes for people, in the largest binary unit that they fill: "512 bytes", "1.5 MiB", "128 GiB".
std::string SizeText(uint64_t bytes);

// "2038-01-19 03:14:08 UTC"; "?" before 1970 and after the year 9999.
std::string WallTimeText(WallTime wall);

}  // namespace storekeeper
