// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace storekeeper {

// "1 step", "2 steps". For nouns with a regular plural.
inline std::string Counted(uint64_t count, std::string_view noun) {
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

// The two largest units of a duration: "1 h 12 min".
std::string DurationText(int64_t seconds);

// A gate's value with its unit (Gate::unit): "1 h 12 min", "50 %", "40.0 C", "yes".
std::string QuantityText(int64_t value, const std::string& unit);

// A number with one decimal: "419.4". A small number gets more, up to 6, until two digits show:
// "0.042". Smaller ones print as "0.0".
std::string FigureText(double value);

// A size in the largest binary unit that is not above it: "512 bytes", "1.5 MiB", "128 GiB".
std::string SizeText(uint64_t bytes);

// A UTC time, "2038-01-19 03:14:08 UTC"; "?" before 1970 and after the year 9999.
std::string WallTimeText(WallTime wall);

}  // namespace storekeeper
