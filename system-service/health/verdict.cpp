// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/verdict.h"

#include <algorithm>

#include "health/ext_csd_fields.h"
#include "health/forecast.h"

namespace storekeeper {
namespace {

// JESD84-B51 DEVICE_LIFE_TIME_EST_TYP_A [268]: 1 to 10 are steps of 10 %, 11 is past the estimated
// life, the rest is reserved.
constexpr uint8_t kLastStep = 0x0a;
constexpr uint8_t kExceeded = 0x0b;
// From here on the owner should think of a replacement: 80 % used.
constexpr uint8_t kWarningStep = 0x09;

// PRE_EOL_INFO [267].
constexpr uint8_t kPreEolNormal = 1;
constexpr uint8_t kPreEolWarning = 2;
constexpr uint8_t kPreEolUrgent = 3;

// Time to buy, and time to save what is on it.
constexpr WallTime kWarningTime = std::chrono::days{365};
constexpr WallTime kUrgentTime = std::chrono::days{90};

bool IsLifeTime(std::optional<uint8_t> value) {
    return value.has_value() && *value >= 1 && *value <= kExceeded;
}

bool IsPreEol(std::optional<uint8_t> value) {
    return value.has_value() && *value >= kPreEolNormal && *value <= kPreEolUrgent;
}

std::string Range(int from, int to) {
    return std::to_string(from) + "-" + std::to_string(to) + " %";
}

Verdict::Level LevelOfLife(uint8_t life_time) {
    if (life_time >= kExceeded) return Verdict::Level::kUrgent;
    return life_time >= kWarningStep ? Verdict::Level::kWarning : Verdict::Level::kGood;
}

Verdict::Level LevelOfPreEol(uint8_t pre_eol) {
    if (pre_eol == kPreEolUrgent) return Verdict::Level::kUrgent;
    return pre_eol == kPreEolWarning ? Verdict::Level::kWarning : Verdict::Level::kGood;
}

// "0-10 % used (90-100 % left)"
std::string DescribeLife(uint8_t life_time, Verdict* verdict) {
    if (life_time == kExceeded) {
        verdict->used_from_pct = verdict->used_to_pct = 100;
        return "100 % used (past its rated life)";
    }
    int to = life_time * 10;
    verdict->used_from_pct = to - 10;
    verdict->used_to_pct = to;
    return Range(to - 10, to) + " used (" + Range(100 - to, 110 - to) + " left)";
}

}  // namespace

std::string PreEolText(uint8_t pre_eol_info) {
    switch (pre_eol_info) {
        case 0:
            return "not defined";
        case kPreEolNormal:
            return "normal";
        case kPreEolWarning:
            return "warning, 80 % of the reserve blocks used";
        case kPreEolUrgent:
            return "urgent";
        default:
            return "reserved value";
    }
}

std::string LifeTimeText(uint8_t life_time) {
    if (life_time == 0) return "not defined";
    if (life_time == kExceeded) return "past its rated life";
    if (life_time > kExceeded) return "reserved value";
    return Range((life_time - 1) * 10, life_time * 10) + " used";
}

std::string LevelName(Verdict::Level level) {
    switch (level) {
        case Verdict::Level::kGood:
            return "good";
        case Verdict::Level::kWarning:
            return "warning";
        case Verdict::Level::kUrgent:
            return "urgent";
        case Verdict::Level::kUnknown:
            break;
    }
    return "unknown";
}

bool HasWear(const WearReading& reading) {
    return IsLifeTime(reading.life_time_a) || IsLifeTime(reading.life_time_b) ||
           IsPreEol(reading.pre_eol_info);
}

Verdict JudgeWear(const WearReading& reading) {
    static_assert(kExceeded == kLastStep + 1);
    Verdict verdict;
    if (reading.ext_csd_rev.has_value() && *reading.ext_csd_rev < kFirstRevWithHealth) {
        verdict.line = "Storage life: not reported (EXT_CSD_REV " +
                       std::to_string(*reading.ext_csd_rev) + "; reported from " +
                       std::to_string(kFirstRevWithHealth) + ", eMMC 5.0, on)";
        return verdict;
    }
    uint8_t life = 0;
    for (std::optional<uint8_t> value : {reading.life_time_a, reading.life_time_b}) {
        if (IsLifeTime(value)) life = std::max(life, *value);
    }
    std::string text = "not reported";
    if (life != 0) {
        text = DescribeLife(life, &verdict);
        verdict.level = LevelOfLife(life);
    }
    if (IsPreEol(reading.pre_eol_info)) {
        text += ", pre-EOL " + PreEolText(*reading.pre_eol_info);
        verdict.level = std::max(verdict.level, LevelOfPreEol(*reading.pre_eol_info));
    } else {
        text += ", pre-EOL not reported";
    }
    verdict.line = "Storage life: " + text;
    return verdict;
}

Verdict::Level LevelOfForecast(const Forecast& forecast) {
    if (forecast.state == Forecast::State::kUnknown) return Verdict::Level::kUnknown;
    const WallTime left = *forecast.latest - forecast.made;
    if (left < kUrgentTime) return Verdict::Level::kUrgent;
    return left < kWarningTime ? Verdict::Level::kWarning : Verdict::Level::kGood;
}

Verdict JudgeWear(const WearReading& reading, const Forecast& forecast) {
    Verdict verdict = JudgeWear(reading);
    verdict.level = std::max(verdict.level, LevelOfForecast(forecast));
    if (forecast.state == Forecast::State::kRange) {
        verdict.line += "; used up between " + MonthText(*forecast.earliest) + " and " +
                        MonthText(*forecast.latest) + " at this rate";
    } else if (forecast.earliest.has_value()) {
        verdict.line += "; not used up before " + MonthText(*forecast.earliest) + " at this rate";
    }
    return verdict;
}

}  // namespace storekeeper
