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

// Budgets of bytes on the flash a day, as the I/O overuse thresholds of Android Automotive's
// watchdog (packages/services/Car/cpp/watchdog); docs/writers.md says what a day is.

// Days that count: today and those before.
inline constexpr int64_t kBudgetDays = 30;
// Over the budget on so many of them: a repeat offender.
inline constexpr int64_t kRepeatDays = 3;

// Bytes a day; absent for a uid without a budget.
std::optional<uint64_t> BudgetOf(uint32_t uid, const WritersConfig& config);

// Whether anybody has one.
bool HasBudgets(const WritersConfig& config);

// Bytes on the flash in 24 hours: what was written in more than that is scaled down to the mean, so
// that on one day at least it was as much; of less nothing is assumed of the rest.
uint64_t BytesOfADay(const UidRow& row);

// A uid that was over its budget in the last days.
struct Offender {
    struct Day {
        int64_t day = 0;  // since the epoch, UTC
        uint64_t bytes = 0;

        bool operator==(const Day&) const = default;
    };

    uint32_t uid = 0;
    UidKind kind = UidKind::kSystem;
    std::optional<std::string> name;  // as UidCost::name
    uint64_t budget_bytes = 0;        // a day
    int64_t days_over = 0;            // of kBudgetDays
    bool today = false;               // the last of them is today
    // On kRepeatDays or more. Never of an isolated process, whose uid goes to others after it.
    bool repeats = false;
    Day first;
    Day last;
    Day most;

    bool operator==(const Offender&) const = default;
};

// `rows` in any order, each uid once a day; UidRow::kOthers is nobody. Those over today come first,
// then those with the most bytes on the last day.
std::vector<Offender> FindOffenders(std::span<const UidRow> rows, const WritersConfig& config,
                                    int64_t today);

// The uids over their budgets today, those with the most bytes first, as
// storekeeper.status.over_budget has them: PropertyList().
std::string OverBudgetProperty(std::span<const Offender> offenders);

// Who that is, for an alert; "" for nobody.
std::string OverBudgetText(std::span<const Offender> offenders);

}  // namespace storekeeper
