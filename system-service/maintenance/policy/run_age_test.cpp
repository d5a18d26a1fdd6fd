// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include "maintenance/policy/policy.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr WallTime k1970 = seconds(0);
constexpr WallTime k2026 = seconds(1'767'225'600);
constexpr WallTime k2040 = seconds(2'208'988'800);

// A phone whose boots and wall clock a test moves. Its policy checks every hour and saves its
// memory as the Keeper does.
class Life {
  public:
    void Reboot() {
        boot_ = "boot" + std::to_string(++boots_);
        since_boot_ = BootTime(0);
        // A power cut: changes that were not written are lost.
        state_ = written_;
    }
    void SetWall(WallTime wall) { wall_ = wall; }

    // Passes these hours; returns the number of runs.
    int Live(hours time) {
        int runs = 0;
        for (hours hour(0); hour < time; ++hour) {
            since_boot_ += hours(1);
            wall_ += hours(1);
            if (IsWorthWriting(*state_.age, Now(), hours(6))) Write();
            if (!IsDue({.now = Now()}, state_, PolicyConfig())) continue;
            state_.last_complete = Now();
            state_.age = RunAge{.at = Now()};
            Write();
            ++runs;
        }
        return runs;
    }

    RunStamp Now() const { return {.boot_id = boot_, .since_boot = since_boot_, .wall = wall_}; }
    const PolicyState& state() const { return state_; }

  private:
    void Write() {
        state_.age = BringUpToDate(*state_.age, Now());
        written_ = state_;
    }

    std::string boot_ = "boot0";
    int boots_ = 0;
    BootTime since_boot_{};
    WallTime wall_ = k2026;
    PolicyState state_{.age = RunAge{.at = Now()}};
    PolicyState written_ = state_;
};

TEST(RunAgeTest, WithinABootTheWallClockSaysNothing) {
    Life life;
    EXPECT_EQ(1, life.Live(hours(2)));
    for (WallTime wall : {k2040, k1970, k2026, k2040, k2026}) {
        life.SetWall(wall);
        EXPECT_EQ(0, life.Live(hours(4))) << wall.count();
    }
    EXPECT_EQ(1, life.Live(hours(4)));
}

TEST(RunAgeTest, TimeSwitchedOffCountsForTheIntervalOnly) {
    Life life;
    life.Live(hours(1));
    life.Reboot();
    life.SetWall(k2026 + hours(24 * 30));
    const RunAge age = BringUpToDate(*life.state().age, life.Now());
    EXPECT_GE(age.elapsed, hours(24 * 29));
    EXPECT_EQ(seconds(0), age.powered);
    EXPECT_EQ(1, life.Live(hours(1)));
}

// After a run in 2040 the clock is set right. The phone reboots twice a day, and the daily run must
// happen nevertheless.
TEST(RunAgeTest, ARunInTheFutureDoesNotStarveTheNext) {
    Life life;
    life.SetWall(k2040);
    ASSERT_EQ(1, life.Live(hours(1)));
    life.SetWall(k2026);
    int runs = 0;
    for (int half_day = 0; half_day < 20; ++half_day) {
        life.Reboot();
        runs += life.Live(hours(12));
    }
    EXPECT_GE(runs, 8);
    EXPECT_LE(runs, 10);
}

// A phone without a clock of its own begins each boot in 1970 and gets the time an hour later.
TEST(RunAgeTest, AClockThatBeginsIn1970CostsNoRunAndGivesAtMostOneABoot) {
    Life life;
    int runs = 0;
    for (int day = 0; day < 20; ++day) {
        life.Reboot();
        life.SetWall(k1970);
        int in_boot = life.Live(hours(1));
        life.SetWall(k2026 + hours(24 * day));
        in_boot += life.Live(hours(22));
        EXPECT_LE(in_boot, 1);
        runs += in_boot;
    }
    EXPECT_GE(runs, 15);
}

TEST(RunAgeTest, NoJumpRelaxesAGate) {
    Life life;
    life.Live(hours(1));
    for (WallTime wall : {k2040, k1970, k2040}) {
        life.Reboot();
        life.SetWall(wall);
        const PolicyInputs inputs{.now = life.Now()};
        EXPECT_EQ(0, Decide(inputs, life.state(), PolicyConfig()).relaxed_percent);
        life.Live(hours(1));
    }
}

TEST(RunAgeTest, IsWrittenSeldomButAtOnceWhenTheClockWentBackAcrossABoot) {
    const RunAge age{.at = {.boot_id = "a", .since_boot = hours(5), .wall = k2040}};
    EXPECT_FALSE(IsWorthWriting(age, {"a", hours(10), k1970}, hours(6)));
    EXPECT_TRUE(IsWorthWriting(age, {"a", hours(11), k1970}, hours(6)));
    EXPECT_TRUE(IsWorthWriting(age, {"b", hours(0), k2026}, hours(6)));
    EXPECT_FALSE(IsWorthWriting(age, {"b", hours(5), k2040}, hours(6)));
}

}  // namespace
}  // namespace storekeeper
