// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/quantity_text.h"

#include <android-base/stringprintf.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iterator>

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

std::string FigureText(double value) {
    constexpr int kMaxDecimals = 6;
    int decimals = 1;
    for (double least = 1; decimals < kMaxDecimals && std::abs(value) < least; least /= 10) {
        ++decimals;
    }
    const std::string text = android::base::StringPrintf("%.*f", decimals, value);
    return text.find_first_not_of("-0.") == std::string::npos ? "0.0" : text;
}

std::string SizeText(uint64_t bytes) {
    constexpr uint64_t kStep = 1024;
    // The smallest figure that one decimal would print as 1024.0.
    constexpr double kFull = 1023.95;
    constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < kStep) return Counted(bytes, "byte");
    const char* const* unit = std::begin(kUnits);
    uint64_t unit_bytes = kStep;
    while (unit + 1 != std::end(kUnits) &&
           static_cast<double>(bytes) / static_cast<double>(unit_bytes) >= kFull) {
        unit_bytes *= kStep;
        ++unit;
    }
    const int decimals = bytes % unit_bytes == 0 ? 0 : 1;
    return android::base::StringPrintf("%.*f %s", decimals,
                                       static_cast<double>(bytes) / static_cast<double>(unit_bytes),
                                       *unit);
}

std::string WallTimeText(WallTime wall) {
    constexpr WallTime kEnd{253'402'300'800};  // end of the year 9999
    if (wall < WallTime(0) || wall >= kEnd) return "?";
    // gmtime(3) would fail on 32-bit devices, whose time_t ends in 2038.
    const std::chrono::sys_seconds at{wall};
    const auto day = std::chrono::floor<std::chrono::days>(at);
    const std::chrono::year_month_day date(day);
    const std::chrono::seconds time = at - day;
    return android::base::StringPrintf("%04d-%02u-%02u %02d:%02d:%02d UTC",
                                       static_cast<int>(date.year()),
                                       static_cast<unsigned>(date.month()),
                                       static_cast<unsigned>(date.day()),
                                       static_cast<int>(time / std::chrono::hours(1)),
                                       static_cast<int>(time / std::chrono::minutes(1) % 60),
                                       static_cast<int>(time / std::chrono::seconds(1) % 60));
}

}  // namespace storekeeper
