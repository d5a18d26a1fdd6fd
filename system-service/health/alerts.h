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

// Something about the wear that its owner should know.
struct Alert {
    std::string code;  // "pre_eol", "life_a", "life_b", "write_rate", "forecast", "trim",
                       // "critical_health", "write_budget"
    Verdict::Level level = Verdict::Level::kWarning;  // or kUrgent
    WallTime since{};
    std::string text;  // names the chip, the value, the threshold and the direction
};

// What must outlive a restart, so that no alert is raised twice.
struct AlertState {
    struct Entry {
        Alert alert;
        // Since when its cause is gone; it is kept for a week, for it may come back.
        std::optional<WallTime> quiet_since;
    };
    std::string chip;
    std::vector<Entry> entries;
};

// What else alerts are made of.
struct AlertFacts {
    std::string device;  // the chip for people: "mmcblk0 (VEMMC1)"
    // StorageHealth's: its count begins anew with each boot, so that an alert outlives a reboot by
    // a week.
    std::optional<uint64_t> critical_health;
    // Who is over a budget of writes, "" for nobody; absent without budgets, which ends the alert
    // at once.
    std::optional<std::string> over_budget;
};

struct AlertChanges {
    std::vector<Alert> raised;  // new, or worse than before
    std::vector<Alert> ended;
};

// How often the weekly writes of the last two months a week may be before an alert.
inline constexpr double kWriteRateWarning = 3;
inline constexpr double kWriteRateUrgent = 10;

// Compares the present with the alerts raised before, and changes `state` accordingly. An alert
// ends when its cause has been gone for a week: written twice as much as usual, or 455 days to the
// forecast's end (urgent: 120), keep it up. What is not known changes nothing. Another chip begins
// anew.
AlertChanges UpdateAlerts(const Ledger& ledger, const Forecast& forecast, const AlertFacts& facts,
                          WallTime now, AlertState* state);

// As the payload of a record: an entry for the chip and one for each alert, a tab between them.
std::string FormatAlertState(const AlertState& state);
android::base::Result<AlertState> ParseAlertState(const std::string& text);

}  // namespace storekeeper
