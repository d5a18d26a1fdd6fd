// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include "maintenance/policy/policy.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

// Wakes as early as permitted, for a day in which events come all the time.
size_t MostInAnHour(bool due) {
    WakeBudget budget;
    BootTime now = minutes(3);
    while (now < hours(24)) {
        budget.Note(now);
        now += seconds(1);
        if (budget.AllowsEvents({.due = due}, now)) continue;
        now = std::max<BootTime>(now, budget.NextAllowed({.due = due}));
    }
    return budget.most();
}

TEST(WakeBudgetTest, KeepsAnyHourWithinTheLimit) {
    EXPECT_EQ(WakeBudget::kPerHourDue, MostInAnHour(true));
    EXPECT_EQ(WakeBudget::kPerHour, MostInAnHour(false));
}

TEST(WakeBudgetTest, LeavesSeldomWakingAlone) {
    WakeBudget budget;
    for (int i = 0; i < 10; ++i) {
        budget.Note(hours(i));
        EXPECT_LE(budget.NextAllowed({}), hours(i));
        EXPECT_TRUE(budget.AllowsEvents({}, hours(i)));
    }
    EXPECT_EQ(1U, budget.most());
    EXPECT_EQ(10U, budget.total());
}

TEST(WakeBudgetTest, RootWaitsForNoHour) {
    WakeBudget budget;
    for (int i = 0; i < 100; ++i) budget.Note(seconds(i));
    Decision decision;
    EXPECT_FALSE(budget.AllowsEvents(decision, seconds(100)));
    EXPECT_LT(seconds(100), budget.NextAllowed(decision));
    decision.gates = {Gate{.name = "battery", .overridden = true}};
    EXPECT_TRUE(budget.AllowsEvents(decision, seconds(100)));
    EXPECT_EQ(BootTime(0), budget.NextAllowed(decision));
}

}  // namespace
}  // namespace storekeeper
