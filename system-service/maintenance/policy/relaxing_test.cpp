// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "maintenance/policy/policy.h"
#include "testing/policy_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;

struct Relaxing {
    hours age;
    int percent;
    int64_t untouched;
    int64_t battery;
    int64_t charging;
    int64_t heat;
    int64_t zones;
    int64_t storage;
};

// The interval is a day and the deadline a week, so a step is a day and a half.
TEST(RelaxingTest, RelaxesStepByStepToTheDeadlineAndNeverBelowSafe) {
    for (const Relaxing& row : {Relaxing{hours(24), 0, 3600, 80, 30, 400, 700, 10},
                                Relaxing{hours(24 + 35), 0, 3600, 80, 30, 400, 700, 10},
                                Relaxing{hours(24 + 36), 25, 2700, 70, 28, 412, 737, 32},
                                Relaxing{hours(24 + 72), 50, 1800, 60, 25, 425, 775, 55},
                                Relaxing{hours(24 + 108), 75, 900, 50, 23, 437, 812, 77},
                                Relaxing{hours(24 * 7), 100, 0, 40, 20, 450, 850, 100},
                                Relaxing{hours(24 * 700), 100, 0, 40, 20, 450, 850, 100}}) {
        SCOPED_TRACE(row.age.count());
        Device device;
        device.SetAge(row.age);
        Decision decision = device.Ask();
        EXPECT_EQ(row.percent, decision.relaxed_percent);
        EXPECT_EQ(row.untouched, GateOf(decision, "untouched").limit);
        EXPECT_EQ(row.battery, GateOf(decision, "battery").limit);
        EXPECT_EQ(row.heat, GateOf(decision, "heat").limit);
        EXPECT_EQ(row.zones, GateOf(decision, "zones").limit);
        EXPECT_EQ(row.storage, GateOf(decision, "storage").limit);
        EXPECT_EQ(400, GateOf(decision, "heat").strict_limit);
        device.power.on_charger = true;
        EXPECT_EQ(row.charging, GateOf(device.Ask(), "battery").limit);
    }
}

TEST(RelaxingTest, AtTheDeadlineOnlySafetyHoldsUp) {
    Device busy;
    busy.SetAge(hours(24 * 7));
    busy.interaction = {.screen_on = true, .last_input = kNow};
    busy.interaction_error = "no right";
    busy.storage = {.busy_percent = 100, .in_flight = 99, .source = ""};
    busy.storage_error = "garbage";
    busy.power.percent = 40;
    busy.battery_heat = 450;
    busy.state.written_bytes = busy.written->bytes;
    EXPECT_TRUE(busy.Ask().run) << Closed(busy.Ask()).front();
    const std::vector<std::pair<const char*, std::function<void(Device*)>>> unsafe = {
            {"battery", [](Device* d) { d->power.percent = 39; }},
            {"battery", [](Device* d) { d->power_error = "garbage"; }},
            {"heat", [](Device* d) { d->battery_heat = 451; }},
            {"zones", [](Device* d) { d->zones.hottest = 851; }},
            {"checkpoint", [](Device* d) { d->checkpoint = "dm-3 is 1"; }},
            {"framework", [](Device* d) { d->framework = true; }},
            {"chip",
             [](Device* d) {
                 d->refusals = {{"chip", "known to die"}};
             }},
    };
    for (const auto& [gate, change] : unsafe) {
        Device device = busy;
        change(&device);
        EXPECT_THAT(Closed(device.Ask()), ElementsAre(gate));
        // A request does not waive these either.
        device.SetAge(hours(1));
        device.requested = true;
        EXPECT_THAT(Closed(device.Ask()), ElementsAre(gate));
    }
    busy.SetAge(hours(1));
    busy.requested = true;
    EXPECT_TRUE(busy.Ask().run);
}

// Any closed gate is checked again at the next step of relaxing.
TEST(RelaxingTest, LooksAgainWhenTheNextStepRelaxes) {
    Device device;
    device.SetAge(hours(24 + 36) - minutes(5));
    device.power.percent = 75;
    Decision decision = device.Ask();
    EXPECT_EQ(kNow + minutes(5), decision.next_check);
    EXPECT_TRUE(decision.watch_power);
    device.SetAge(hours(24 + 36));
    EXPECT_EQ(70, GateOf(device.Ask(), "battery").limit);
}

// A phone that writes next to nothing is trimmed at the deadline, and checked then, not later.
TEST(RelaxingTest, TheDeadlineWaivesWhatIsToBeWritten) {
    Device device;
    device.state.written_bytes = device.written->bytes;
    device.SetAge(hours(24 * 7 - 2));
    EXPECT_THAT(Closed(device.Ask()), ElementsAre("written"));
    EXPECT_EQ(kNow + hours(2), device.Ask().next_check);
    device.SetAge(hours(24 * 7));
    EXPECT_TRUE(device.Ask().run);
    EXPECT_EQ("waived", GateOf(device.Ask(), "written").note);
}

TEST(RelaxingTest, ADeviceThatWasOffIsNotOverdue) {
    Device device;
    device.state.last_complete = device.Ago(hours(24 * 365), "old-boot");
    device.state.age = RunAge{.at = *device.state.last_complete};
    Decision decision = device.Ask();
    EXPECT_TRUE(decision.due);
    // The 100 hours of this boot count as powered time.
    EXPECT_EQ(50, decision.relaxed_percent);
}

TEST(RelaxingTest, UntilARunIsDueNothingButTimeIsWatched) {
    Device device;
    device.SetAge(hours(23));
    device.interaction.last_input.reset();
    device.power.percent = 3;
    device.storage.in_flight = 9;
    Decision decision = device.Ask();
    EXPECT_FALSE(decision.due);
    EXPECT_EQ(kNow + hours(1), decision.next_check);
    EXPECT_FALSE(decision.watch_power);
    EXPECT_EQ(std::nullopt, GateOf(decision, "untouched").value);
    EXPECT_FALSE(GateOf(decision, "untouched").pass);
}

TEST(OverrideTest, AnOverrideReplacesTheLimitAndStaysSafe) {
    Device device;
    device.SetAge(hours(1));
    device.interaction.last_input = kNow - seconds(60);
    device.power.percent = 41;
    device.state.overrides = {{"interval", 3600}, {"untouched", 60}, {"battery", 41}};
    Decision decision = device.Ask();
    EXPECT_TRUE(decision.run) << Closed(decision).front();
    EXPECT_TRUE(GateOf(decision, "battery").overridden);
    EXPECT_EQ(0, GateOf(decision, "battery").relaxed_by());
    EXPECT_FALSE(GateOf(decision, "heat").overridden);
    // The limit is permitted on a charger, but not off it.
    device.state.overrides["battery"] = 20;
    EXPECT_EQ(40, GateOf(device.Ask(), "battery").limit);
    // A request has the floors, whatever root has set.
    device.state.overrides["battery"] = 100;
    device.requested = true;
    EXPECT_EQ(40, GateOf(device.Ask(), "battery").limit);
    EXPECT_FALSE(device.Ask().overridden());
}

TEST(OverrideTest, EveryOverrideNamesAGateAndItsUnit) {
    Decision decision = Device().Ask();
    for (const OverrideRange& range : OverrideRanges()) {
        EXPECT_EQ(range.unit, GateOf(decision, range.gate).unit);
        EXPECT_LE(range.min, range.max);
    }
}

TEST(OverrideTest, ARunUnderWayEndsForTouchAndSafetyButNotForItsOwnWork) {
    const BootTime started = kNow - minutes(10);
    const auto reason = [&](const std::function<void(Device*)>& change, bool requested = false) {
        Device device;
        device.state.last_attempt = device.Ago(minutes(10));
        change(&device);
        PolicyInputs inputs{.now = {.boot_id = "this-boot", .since_boot = kNow, .wall = kWall},
                            .readings = {.power = device.power,
                                         .interaction = device.interaction,
                                         .battery_heat = device.battery_heat,
                                         .storage = device.storage},
                            .requested = requested};
        if (!device.interaction_error.empty()) {
            inputs.readings.interaction = Error() << device.interaction_error;
        }
        return StopReason(Decide(inputs, device.state, device.config), inputs, started);
    };
    EXPECT_EQ("", reason([](Device*) {}));
    EXPECT_EQ("", reason([](Device* d) { d->storage.in_flight = 9; }));
    const auto touch = [](Device* d) { d->interaction.last_input = kNow - minutes(1); };
    EXPECT_EQ("device in use: input", reason(touch));
    EXPECT_EQ("", reason(touch, true));
    EXPECT_EQ("device in use: screen on",
              reason([](Device* d) { d->interaction.screen_on = true; }));
    EXPECT_EQ("", reason([](Device* d) { d->interaction_error = "no right"; }));
    EXPECT_EQ("battery: off charger", reason([](Device* d) { d->power.percent = 39; }, true));
    EXPECT_EQ("heat: battery", reason([](Device* d) { d->battery_heat = 451; }, true));
}

}  // namespace
}  // namespace storekeeper
