// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "history/rows.h"
#include "writers/uid_name.h"
#include "writers/writers_config.h"

namespace storekeeper {

// Budgets of bytes written to flash per day, like the I/O overuse thresholds of Android
// Automotive's watchdog (packages/services/Car/cpp/watchdog). docs/writers.md defines a day.

// Length of the observed period in days, today included.
inline constexpr int64_t kBudgetDays = 30;
// Days over the budget within that period that make a uid a repeat offender.
inline constexpr int64_t kRepeatDays = 3;

// The uid's budget in bytes per day; absent if it has none.
std::optional<uint64_t> BudgetOf(uint32_t uid, const WritersConfig& config);

bool HasBudgets(const WritersConfig& config);

// Bytes written to flash in 24 hours. A longer span is scaled down to its mean, because at least
// one of its days reached that. A shorter span is not scaled up.
uint64_t BytesOfADay(const UidRow& row);

// A uid that exceeded its budget within kBudgetDays.
struct Offender {
    struct Day {
        int64_t day = 0;  // since the epoch, UTC
        uint64_t bytes = 0;

        bool operator==(const Day&) const = default;
    };

    uint32_t uid = 0;
    UidKind kind = UidKind::kSystem;
    std::optional<std::string> name;  // like UidCost::name
    uint64_t budget_bytes = 0;        // bytes per day
    int64_t days_over = 0;            // number of such days within kBudgetDays
    bool today = false;               // `last` is today
    // True from kRepeatDays on, but never for an isolated process, whose uid is reused.
    bool repeats = false;
    Day first;
    Day last;
    Day most;

    bool operator==(const Offender&) const = default;
};

// Finds the uids over their budgets. `rows` may have any order, with one row per uid and day;
// UidRow::kOthers is ignored. Offenders of today come first, then those with the most bytes on
// their last day.
std::vector<Offender> FindOffenders(std::span<const UidRow> rows, const WritersConfig& config,
                                    int64_t today);

// PropertyList() of the uids over their budgets today, largest writer first: the value of
// storekeeper.status.over_budget.
std::string OverBudgetProperty(std::span<const Offender> offenders);

// Text of an alert about today's offenders; "" if there are none.
std::string OverBudgetText(std::span<const Offender> offenders);

}  // namespace storekeeper
