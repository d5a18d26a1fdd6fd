// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <cstdint>
#include <optional>
#include <string>

namespace storekeeper {

struct Forecast;

// JESD84-B51 DEVICE_LIFE_TIME_EST_TYP_A [268]: 1 to 10 are steps of 10 %, this is past the
// estimated life, the rest is reserved.
inline constexpr uint8_t kPastRatedLife = 0x0b;
// PRE_EOL_INFO [267]: 90 % of the reserve used, the last value.
inline constexpr uint8_t kPreEolUrgent = 3;

// What a chip reports of its wear, raw: JESD84-B51 fields 267-269, or bPreEOLInfo and
// bDeviceLifeTimeEstA/B of a UFS's health descriptor (JESD220), which have the same values.
struct WearReading {
    std::optional<uint8_t> ext_csd_rev;  // of an eMMC
    std::optional<uint8_t> life_time_a;
    std::optional<uint8_t> life_time_b;
    std::optional<uint8_t> pre_eol_info;
};

// Two figures a card can give: how much of its rated life is used, by type of memory, and how many
// spare blocks are gone. The worst of them counts.
struct Verdict {
    enum class Level { kUnknown, kGood, kWarning, kUrgent };

    Level level = Level::kUnknown;
    // The range of used life in percent; absent when the card does not report it. Past the rated
    // life both are 100.
    std::optional<int> used_from_pct;
    std::optional<int> used_to_pct;
    // One line, the first of every report: "Storage life: 0-10 % used (90-100 % left), pre-EOL
    // normal".
    std::string line;
};

// PRE_EOL_INFO without a life time is never good: chips past their rated life have reported it as
// normal. What is not reported is never taken for unused: an EXT_CSD_REV below 7 has no wear
// fields, and 0 in them means "not defined".
Verdict JudgeWear(const WearReading& reading);

// The same with the direction it takes: the worst of pre-EOL, life time A, life time B and the
// forecast, which is a warning when the end comes within a year at the latest, urgent within 90
// days. The line then ends in "; used up between 2031-02 and 2033-08 at this rate", or "; not used
// up before 2031-03 even at twice this rate", or as it was where nothing is known.
Verdict JudgeWear(const WearReading& reading, const Forecast& forecast);

// Adds what the chip itself reports: a critical health condition (StorageHealth::critical_health)
// is urgent whatever the figures are. The line then has "; the chip reports critical health".
void AddCriticalHealth(std::optional<uint64_t> count, Verdict* verdict);

// Adds StorageHealth::filesystem_problem, which is a warning at least.
void AddFilesystemProblem(const std::string& problem, Verdict* verdict);

// kUnknown when the forecast is.
Verdict::Level LevelOfForecast(const Forecast& forecast);

// Whether the reading holds any figure of wear at all.
bool HasWear(const WearReading& reading);

// "unknown", "good", "warning", "urgent".
std::string LevelName(Verdict::Level level);

// "normal", "warning", "urgent", or what is odd about the value.
std::string PreEolText(uint8_t pre_eol_info);

// "0-10 % used", "past the rated life", or what is odd about the value.
std::string LifeTimeText(uint8_t life_time);

Json::Value VerdictToJson(const Verdict& verdict);

}  // namespace storekeeper
