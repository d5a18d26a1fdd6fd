// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "health/forecast.h"
#include "health/ledger.h"
#include "health/verdict.h"

namespace storekeeper {

// A condition of the storage that the device's owner should know.
struct Alert {
    std::string code;  // "pre_eol", "life_a", "life_b", "write_rate", "forecast", "trim",
                       // "critical_health", "write_budget"
    Verdict::Level level = Verdict::Level::kWarning;  // kWarning or kUrgent
    WallTime since{};
    std::string text;  // names the chip, the value, the threshold and the direction
};

// Alerts in force, kept across restarts so that none is raised twice.
struct AlertState {
    struct Entry {
        Alert alert;
        // Start of the time without its cause. The alert ends after a week, because causes may
        // return.
        std::optional<WallTime> quiet_since;
    };
    std::string chip;
    std::vector<Entry> entries;
};

// Inputs of alerts besides ledger and forecast.
struct AlertFacts {
    std::string device;  // the chip's name for people: "mmcblk0 (VEMMC1)"
    // StorageHealth::critical_health. It restarts at 0 with each boot, so after a reboot its alert
    // lasts another week.
    std::optional<uint64_t> critical_health;
    // Names of apps over a write budget, "" if none. Absent if no budgets are set, which ends the
    // alert at once.
    std::optional<std::string> over_budget;
};

struct AlertChanges {
    std::vector<Alert> raised;  // new, or worse than before
    std::vector<Alert> ended;
};

// Thresholds of a week's writes, as a multiple of the median week of the last two months.
inline constexpr double kWriteRateWarning = 3;
inline constexpr double kWriteRateUrgent = 10;

// Compares the current facts with the alerts in force and updates `state`. An alert ends when its
// cause has been gone for a week. Lower thresholds keep an alert up: twice the usual writes, or 455
// days to the forecast's end (urgent: 120). Unknown facts change nothing. A new chip starts without
// alerts.
AlertChanges UpdateAlerts(const Ledger& ledger, const Forecast& forecast, const AlertFacts& facts,
                          WallTime now, AlertState* state);

// The alerts as the payload of a record, in JSON; "" if there is nothing to remember.
std::string FormatAlertState(const AlertState& state);
android::base::Result<AlertState> ParseAlertState(const std::string& text);

}  // namespace storekeeper
