// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/quantity_text.h"

#include <android-base/stringprintf.h>

#include <cstdlib>

namespace storekeeper {

std::string DurationText(int64_t seconds) {
    struct Unit {
        int64_t seconds;
        const char* name;
    };
    constexpr Unit kUnits[] = {{86400, "d"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    std::string text;
    int used = 0;
    for (const Unit& unit : kUnits) {
        int64_t count = seconds / unit.seconds;
        if (count == 0) continue;
        text += (text.empty() ? "" : " ") + std::to_string(count) + " " + unit.name;
        seconds %= unit.seconds;
        if (++used == 2) break;
    }
    return text.empty() ? "0 s" : text;
}

std::string QuantityText(int64_t value, const std::string& unit) {
    if (unit == "s") return DurationText(value);
    if (unit == "pct") return std::to_string(value) + " %";
    if (unit == "dC") {
        return android::base::StringPrintf("%s%lld.%lld C", value < 0 ? "-" : "",
                                           std::llabs(value) / 10, std::llabs(value) % 10);
    }
    return value == 0 ? "no" : "yes";
}

}  // namespace storekeeper
