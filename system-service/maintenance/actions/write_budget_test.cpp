// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/write_budget.h"

#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using std::chrono::hours;

RunStamp At(const char* boot, hours since_boot, hours wall) {
    return {.boot_id = boot, .since_boot = since_boot, .wall = wall};
}

TEST(WriteBudgetTest, AWeekBeginsWithTheFirstLook) {
    const WriteBudget::Week week = WriteBudget::WeekAt({}, At("a", hours(2), hours(9)));
    EXPECT_EQ("a", week.began.at.boot_id);
    EXPECT_EQ(0U, week.written_bytes);
}

TEST(WriteBudgetTest, LastsSevenDaysOfBeingSwitchedOn) {
    WriteBudget::Week week = WriteBudget::WeekAt({}, At("a", hours(0), hours(0)));
    week.written_bytes = 100;
    week = WriteBudget::WeekAt(week, At("a", hours(100), hours(100)));
    EXPECT_EQ(100U, week.written_bytes);
    // The device was off for a year, or its clock jumped: 100 powered hours are still 100.
    week = WriteBudget::WeekAt(week, At("b", hours(60), hours(9000)));
    EXPECT_EQ(100U, week.written_bytes);
    week = WriteBudget::WeekAt(week, At("b", hours(67), hours(9007)));
    EXPECT_EQ(100U, week.written_bytes);
    week = WriteBudget::WeekAt(week, At("b", hours(68), hours(9008)));
    EXPECT_EQ(0U, week.written_bytes);
}

TEST(WriteBudgetTest, LastsAsLongWhereTheBootHasNoId) {
    WriteBudget::Week week = WriteBudget::WeekAt({}, At("", hours(1), hours(1)));
    week.written_bytes = 100;
    EXPECT_EQ(100U, WriteBudget::WeekAt(week, At("", hours(2), hours(2))).written_bytes);
    EXPECT_EQ(0U, WriteBudget::WeekAt(week, At("", hours(169), hours(169))).written_bytes);
}

TEST(WriteBudgetTest, TheRemainderIsNeverNegative) {
    EXPECT_EQ(60U, WriteBudget::RemainingBytes({.written_bytes = 40}, 100));
    EXPECT_EQ(0U, WriteBudget::RemainingBytes({.written_bytes = 100}, 100));
    EXPECT_EQ(0U, WriteBudget::RemainingBytes({.written_bytes = 101}, 100));
}

}  // namespace
}  // namespace storekeeper
