// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <cstdint>
#include <optional>
#include <string>

namespace storekeeper {

struct Forecast;

// JESD84-B51 DEVICE_LIFE_TIME_EST_TYP_A [268]: 1 to 10 are steps of 10 %, this value is past the
// estimated life, others are reserved.
inline constexpr uint8_t kPastRatedLife = 0x0b;
// PRE_EOL_INFO [267], highest value: 90 % of the reserve blocks are used.
inline constexpr uint8_t kPreEolUrgent = 3;

// A chip's raw wear figures: JESD84-B51 fields 267-269, or bPreEOLInfo and bDeviceLifeTimeEstA/B of
// a UFS health descriptor (JESD220), which use the same values.
struct WearReading {
    std::optional<uint8_t> ext_csd_rev;  // eMMC only
    std::optional<uint8_t> life_time_a;
    std::optional<uint8_t> life_time_b;
    std::optional<uint8_t> pre_eol_info;
};

// A card gives two kinds of figures: the used part of its rated life, for each type of memory, and
// its used spare blocks. The worst one decides.
struct Verdict {
    enum class Level { kUnknown, kGood, kWarning, kUrgent };

    Level level = Level::kUnknown;
    // Used life in percent, as a range; absent if the card does not report it. Both are 100 past
    // the rated life.
    std::optional<int> used_from_pct;
    std::optional<int> used_to_pct;
    // First line of every report: "Storage life: 0-10 % used (90-100 % left), pre-EOL normal".
    std::string line;
};

// PRE_EOL_INFO without a life time is never good, because chips past their rated life have reported
// it as normal. Missing figures never mean unused: registers with EXT_CSD_REV below 7 have no wear
// fields, and 0 in a wear field means "not defined".
Verdict JudgeWear(const WearReading& reading);

// Judges the worst of pre-EOL, life times and the forecast. The forecast is a warning if its latest
// date is within a year, and urgent within 90 days. The line then ends in "; used up between
// 2031-02 and 2033-08 at this rate", or "; not used up before 2031-03 even at twice this rate".
// Without any date it is unchanged.
Verdict JudgeWear(const WearReading& reading, const Forecast& forecast);

// A critical health condition reported by the chip (StorageHealth::critical_health) is urgent
// regardless of other figures. Appends "; the chip reports critical health" to the line.
void AddCriticalHealth(std::optional<uint64_t> count, Verdict* verdict);

// Appends StorageHealth::filesystem_problem, which is at least a warning.
void AddFilesystemProblem(const std::string& problem, Verdict* verdict);

// The level of a forecast; kUnknown if the forecast is unknown.
Verdict::Level LevelOfForecast(const Forecast& forecast);

// True if the reading holds any defined wear figure.
bool HasWear(const WearReading& reading);

// The level's name: "unknown", "good", "warning" or "urgent".
std::string NameOf(Verdict::Level level);

// "normal", "warning" or "urgent"; for other values a text that names the value.
std::string PreEolText(uint8_t pre_eol_info);

// "0-10 % used" or "past the rated life"; for other values a text that names the value.
std::string LifeTimeText(uint8_t life_time);

Json::Value VerdictToJson(const Verdict& verdict);

}  // namespace storekeeper
