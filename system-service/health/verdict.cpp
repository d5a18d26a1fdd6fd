// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/verdict.h"

#include <algorithm>
#include <iterator>

#include "base/json_text.h"
#include "health/ext_csd_fields.h"
#include "health/forecast.h"

namespace storekeeper {
namespace {

// 80 % used: time to think of a replacement.
constexpr uint8_t kWarningStep = 0x09;

// PRE_EOL_INFO [267].
constexpr uint8_t kPreEolWarning = 2;

// Times to buy a replacement, and to save the data.
constexpr WallTime kWarningTime = std::chrono::days{365};
constexpr WallTime kUrgentTime = std::chrono::days{90};

// True if the standard defines the value; `urgent` is the last value of either field.
bool IsDefined(std::optional<uint8_t> value, uint8_t urgent) {
    return value.has_value() && *value >= 1 && *value <= urgent;
}

std::string Range(int from, int to) {
    return std::to_string(from) + "-" + std::to_string(to) + " %";
}

Verdict::Level LevelOf(uint8_t value, uint8_t warning, uint8_t urgent) {
    if (value >= urgent) return Verdict::Level::kUrgent;
    return value >= warning ? Verdict::Level::kWarning : Verdict::Level::kGood;
}

// An unused reserve does not prove health: without a life time the level stays unknown.
void Raise(Verdict::Level level, Verdict* verdict) {
    if (level == Verdict::Level::kGood && !verdict->used_to_pct.has_value()) return;
    verdict->level = std::max(verdict->level, level);
}

// Describes a life time: "0-10 % used (90-100 % left)".
std::string DescribeLife(uint8_t life_time, Verdict* verdict) {
    if (life_time == kPastRatedLife) {
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
    constexpr const char* kTexts[] = {"not defined", "normal",
                                      "warning, 80 % of the reserve blocks used", "urgent"};
    return pre_eol_info < std::size(kTexts) ? kTexts[pre_eol_info] : "reserved value";
}

std::string LifeTimeText(uint8_t life_time) {
    if (life_time == 0) return "not defined";
    if (life_time == kPastRatedLife) return "past its rated life";
    if (life_time > kPastRatedLife) return "reserved value";
    return Range((life_time - 1) * 10, life_time * 10) + " used";
}

std::string NameOf(Verdict::Level level) {
    constexpr const char* kNames[] = {"unknown", "good", "warning", "urgent"};
    return kNames[static_cast<size_t>(level)];
}

bool HasWear(const WearReading& reading) {
    return IsDefined(reading.life_time_a, kPastRatedLife) ||
           IsDefined(reading.life_time_b, kPastRatedLife) ||
           IsDefined(reading.pre_eol_info, kPreEolUrgent);
}

Verdict JudgeWear(const WearReading& reading) {
    Verdict verdict;
    if (reading.ext_csd_rev.has_value() && *reading.ext_csd_rev < kFirstRevWithHealth) {
        verdict.line = "Storage life: not reported (EXT_CSD_REV " +
                       std::to_string(*reading.ext_csd_rev) + "; reported from " +
                       std::to_string(kFirstRevWithHealth) + ", eMMC 5.0, on)";
        return verdict;
    }
    uint8_t life = 0;
    for (std::optional<uint8_t> value : {reading.life_time_a, reading.life_time_b}) {
        if (IsDefined(value, kPastRatedLife)) life = std::max(life, *value);
    }
    std::string text = "not reported";
    if (life != 0) {
        text = DescribeLife(life, &verdict);
        verdict.level = LevelOf(life, kWarningStep, kPastRatedLife);
    }
    if (IsDefined(reading.pre_eol_info, kPreEolUrgent)) {
        text += ", pre-EOL " + PreEolText(*reading.pre_eol_info);
        Raise(LevelOf(*reading.pre_eol_info, kPreEolWarning, kPreEolUrgent), &verdict);
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
    Raise(LevelOfForecast(forecast), &verdict);
    if (forecast.state == Forecast::State::kRange) {
        verdict.line += "; used up between " + MonthText(*forecast.earliest) + " and " +
                        MonthText(*forecast.latest) + " at this rate";
    } else if (forecast.earliest.has_value()) {
        verdict.line += "; not used up before " + MonthText(*forecast.earliest) +
                        " even at twice this rate";
    }
    return verdict;
}

void AddCriticalHealth(std::optional<uint64_t> count, Verdict* verdict) {
    if (count.value_or(0) == 0) return;
    verdict->level = Verdict::Level::kUrgent;
    verdict->line += "; the chip reports critical health";
}

void AddFilesystemProblem(const std::string& problem, Verdict* verdict) {
    if (problem.empty()) return;
    verdict->level = std::max(verdict->level, Verdict::Level::kWarning);
    verdict->line += "; " + problem;
}

Json::Value VerdictToJson(const Verdict& verdict) {
    Json::Value json;
    json["line"] = verdict.line;
    json["level"] = NameOf(verdict.level);
    json["used_from_pct"] = OrNull(verdict.used_from_pct);
    json["used_to_pct"] = OrNull(verdict.used_to_pct);
    return json;
}

}  // namespace storekeeper
