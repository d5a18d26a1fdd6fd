// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/policy/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace storekeeper {
namespace {

using android::base::Error;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr BootTime kNow = hours(100);
constexpr WallTime kWall = hours(24 * 365 * 56);

// A device on which every gate is open.
struct Device {
    PowerReading power{.has_battery = true, .percent = 80, .on_charger = false};
    InteractionReading interaction{.screen_on = false, .last_input = kNow - hours(1)};
    std::string boot_id = "this-boot";
    std::string power_error;
    std::string interaction_error;
    std::string heat_error;
    std::string storage_error;
    std::string checkpoint_error;
    std::optional<int> battery_heat = 250;
    ZoneReading zones{.hottest = 350, .name = "soc", .problems = {}};
    StorageReading storage{.busy_percent = 0, .in_flight = 0, .source = "waited for"};
    CheckpointReading checkpoint;
    bool framework = false;
    std::vector<Refusal> refusals;
    bool requested = false;
    PolicyState state;
    PolicyConfig config;

    // As if the last complete run were this long ago, the device on all the time.
    void SetAge(std::chrono::nanoseconds time) {
        state.last_complete = Ago(time);
        state.age = RunAge{.at = Ago(time)};
    }

    RunStamp Ago(std::chrono::nanoseconds time, const std::string& boot = "this-boot") const {
        return {.boot_id = boot,
                .since_boot = kNow - time,
                .wall = kWall - std::chrono::duration_cast<seconds>(time)};
    }

    Decision Ask() const {
        PolicyInputs inputs{.now = {.boot_id = boot_id, .since_boot = kNow, .wall = kWall},
                            .readings = {.power = power,
                                         .interaction = interaction,
                                         .battery_heat = battery_heat,
                                         .zones = zones,
                                         .storage = storage,
                                         .checkpoint = checkpoint,
                                         .framework_maintains = framework},
                            .refusals = refusals,
                            .requested = requested};
        if (!heat_error.empty()) inputs.readings.battery_heat = Error() << heat_error;
        if (!storage_error.empty()) inputs.readings.storage = Error() << storage_error;
        if (!checkpoint_error.empty()) inputs.readings.checkpoint = Error() << checkpoint_error;
        if (!power_error.empty()) inputs.readings.power = Error() << power_error;
        if (!interaction_error.empty()) inputs.readings.interaction = Error() << interaction_error;
        return Decide(inputs, state, config);
    }
};

std::vector<std::string> Closed(const Decision& decision) {
    std::vector<std::string> names;
    for (const Gate& gate : decision.gates) {
        if (!gate.pass) names.push_back(gate.name);
    }
    return names;
}

const Gate& GateOf(const Decision& decision, const std::string& name) {
    for (const Gate& gate : decision.gates) {
        if (gate.name == name) return gate;
    }
    ADD_FAILURE() << "no gate " << name;
    return decision.gates.front();
}

TEST(PolicyTest, RunsWhenEveryGateIsOpen) {
    Decision decision = Device().Ask();
    EXPECT_TRUE(decision.run);
    std::vector<std::string> names;
    for (const Gate& gate : decision.gates) names.push_back(gate.name);
    EXPECT_THAT(names, ElementsAre("interval", "retry", "untouched", "battery", "heat", "zones",
                                   "storage", "checkpoint", "framework", "chip"));
}

struct Case {
    const char* name;
    std::function<void(Device*)> change;
    const char* closed;                 // the one closed gate, nullptr when it runs
    std::chrono::nanoseconds opens_in;  // when closed; 0: only by an event
};

class PolicyGateTest : public testing::TestWithParam<Case> {};

TEST_P(PolicyGateTest, ClosesAloneAndReportsWhenItOpens) {
    Device device;
    GetParam().change(&device);
    Decision decision = device.Ask();
    if (GetParam().closed == nullptr) {
        EXPECT_TRUE(decision.run) << Closed(decision).front();
        return;
    }
    EXPECT_FALSE(decision.run);
    ASSERT_THAT(Closed(decision), ElementsAre(GetParam().closed));
    if (GetParam().opens_in.count() == 0) {
        EXPECT_TRUE(decision.watch_power);
        EXPECT_EQ(kNow + PolicyConfig().event_fallback, decision.next_check);
    } else {
        EXPECT_FALSE(decision.watch_power);
        EXPECT_EQ(kNow + GetParam().opens_in, decision.next_check);
    }
}

INSTANTIATE_TEST_SUITE_P(
        All, PolicyGateTest,
        testing::Values(
                Case{"TouchedRecently",
                     [](Device* d) { d->interaction.last_input = kNow - minutes(59); }, "untouched",
                     minutes(1)},
                Case{"TouchedAnHourAgoToTheNanosecond",
                     [](Device* d) { d->interaction.last_input = kNow - hours(1); },
                     nullptr,
                     {}},
                Case{"TouchedANanosecondTooLate",
                     [](Device* d) { d->interaction.last_input = kNow - hours(1) + BootTime(1); },
                     "untouched", BootTime(1)},
                Case{"ScreenOnThoughUntouched", [](Device* d) { d->interaction.screen_on = true; },
                     "untouched", hours(1)},
                Case{"ScreenUnknown",
                     [](Device* d) { d->interaction.screen_on = std::nullopt; },
                     nullptr,
                     {}},
                Case{"InputUnreadable", [](Device* d) { d->interaction_error = "no right"; },
                     "untouched", hours(1)},
                Case{"CompleteRunADayAgo",
                     [](Device* d) { d->state.last_complete = d->Ago(hours(24)); },
                     nullptr,
                     {}},
                Case{"CompleteRunRecently",
                     [](Device* d) { d->state.last_complete = d->Ago(hours(23)); }, "interval",
                     hours(1)},
                Case{"CompleteRunBeforeTheReboot",
                     [](Device* d) { d->state.last_complete = d->Ago(hours(120), "old-boot"); },
                     nullptr,
                     {}},
                Case{"ClockSetForwardWithinTheBoot",
                     [](Device* d) {
                         d->state.last_complete = d->Ago(hours(20));
                         d->state.last_complete->wall = WallTime(0);
                     },
                     "interval", hours(4)},
                Case{"ClockSetBackAcrossBootsCountsThisBoot",
                     [](Device* d) {
                         d->state.last_complete = d->Ago(hours(1), "old-boot");
                         d->state.last_complete->wall = kWall + hours(1000);
                     },
                     nullptr,
                     {}},
                Case{"BootIdUnknownIsAnotherBoot",
                     [](Device* d) {
                         d->boot_id = "";
                         d->state.last_complete = d->Ago(hours(1), "");
                     },
                     nullptr,
                     {}},
                Case{"AttemptRecently",
                     [](Device* d) { d->state.last_attempt = d->Ago(minutes(10)); }, "retry",
                     minutes(50)},
                Case{"AttemptLongAgo",
                     [](Device* d) { d->state.last_attempt = d->Ago(hours(1)); },
                     nullptr,
                     {}},
                Case{"Battery79", [](Device* d) { d->power.percent = 79; }, "battery", {}},
                Case{"Battery30OnCharger",
                     [](Device* d) {
                         d->power.percent = 30;
                         d->power.on_charger = true;
                     },
                     nullptr,
                     {}},
                Case{"Battery29OnCharger",
                     [](Device* d) {
                         d->power.percent = 29;
                         d->power.on_charger = true;
                     },
                     "battery",
                     {}},
                Case{"NoBattery",
                     [](Device* d) {
                         d->power = {.has_battery = false, .percent = 0, .on_charger = true};
                     },
                     nullptr,
                     {}},
                Case{"PowerUnreadable",
                     [](Device* d) { d->power_error = "no right"; },
                     "battery",
                     {}},
                Case{"Battery40", [](Device* d) { d->battery_heat = 400; }, nullptr, {}},
                Case{"Battery401", [](Device* d) { d->battery_heat = 401; }, "heat", minutes(10)},
                Case{"HeatNotReported",
                     [](Device* d) { d->battery_heat = std::nullopt; },
                     nullptr,
                     {}},
                Case{"HeatUnreadable", [](Device* d) { d->heat_error = "garbage"; }, "heat",
                     minutes(10)},
                Case{"Zone70", [](Device* d) { d->zones.hottest = 700; }, nullptr, {}},
                Case{"Zone701", [](Device* d) { d->zones.hottest = 701; }, "zones", minutes(10)},
                Case{"NoZones", [](Device* d) { d->zones = {}; }, nullptr, {}},
                Case{"Io10Percent", [](Device* d) { d->storage.busy_percent = 10; }, nullptr, {}},
                Case{"Io11Percent", [](Device* d) { d->storage.busy_percent = 11; }, "storage",
                     minutes(10)},
                Case{"OneRequest", [](Device* d) { d->storage.in_flight = 1; }, nullptr, {}},
                Case{"TwoRequests", [](Device* d) { d->storage.in_flight = 2; }, "storage",
                     minutes(10)},
                Case{"NoMeasureOfThePast",
                     [](Device* d) { d->storage.busy_percent.reset(); },
                     nullptr,
                     {}},
                Case{"StorageUnreadable", [](Device* d) { d->storage_error = "garbage"; },
                     "storage", minutes(10)},
                Case{"CheckpointPending",
                     [](Device* d) { d->checkpoint.pending = true; },
                     "checkpoint",
                     {}},
                Case{"CheckpointUnreadable",
                     [](Device* d) { d->checkpoint_error = "garbage"; },
                     "checkpoint",
                     {}},
                Case{"FrameworkOwnsTheDevice",
                     [](Device* d) { d->framework = true; },
                     "framework",
                     {}},
                Case{"FrameworkOwnsItAndNobodyYields",
                     [](Device* d) {
                         d->framework = true;
                         d->config.yield_to_framework = false;
                     },
                     nullptr,
                     {}},
                Case{"ChipRefused",
                     [](Device* d) {
                         d->refusals = {{"chip", "known to die"}};
                     },
                     "chip",
                     {}},
                Case{"RefusalOfAGateThatIsOpen",
                     [](Device* d) {
                         d->refusals = {{"battery", "held"}};
                     },
                     "battery",
                     {}},
                Case{"AnotherRefusal",
                     [](Device* d) {
                         d->refusals = {{"lease", "held"}};
                     },
                     "lease",
                     {}}),
        [](const auto& row) { return row.param.name; });

TEST(PolicyTest, ReportsValueLimitAndWhy) {
    Device device;
    device.interaction.last_input = kNow - minutes(12);
    device.power = {.has_battery = true, .percent = 42, .on_charger = true};
    Decision decision = device.Ask();
    EXPECT_EQ(720, GateOf(decision, "untouched").value);
    EXPECT_EQ(3600, GateOf(decision, "untouched").limit);
    EXPECT_EQ("screen off", GateOf(decision, "untouched").note);
    EXPECT_EQ(std::nullopt, GateOf(decision, "interval").value);
    EXPECT_EQ("no complete run yet", GateOf(decision, "interval").note);
    EXPECT_EQ(42, GateOf(decision, "battery").value);
    EXPECT_EQ(30, GateOf(decision, "battery").limit);
    EXPECT_EQ("on charger", GateOf(decision, "battery").note);
}

TEST(PolicyTest, AFailureToReadIsTheGatesNote) {
    Device device;
    device.zones.problems = {"zone 7 is garbage", "2 more"};
    EXPECT_EQ("soc; zone 7 is garbage; 2 more", GateOf(device.Ask(), "zones").note);
    device.power_error = "/sys/class/power_supply/battery/capacity is empty";
    EXPECT_THAT(GateOf(device.Ask(), "battery").note, HasSubstr("capacity is empty"));
}

TEST(PolicyTest, SleepsUntilTheLastOfTheTimedGatesAndLetsThePowerBe) {
    Device device;
    device.interaction.last_input = kNow - minutes(50);
    device.state.last_complete = device.Ago(hours(20));
    device.power.percent = 10;
    Decision decision = device.Ask();
    EXPECT_THAT(Closed(decision), ElementsAre("interval", "untouched", "battery"));
    EXPECT_EQ(kNow + hours(4), decision.next_check);
    EXPECT_FALSE(decision.watch_power);
}

// Asked again at next_check, with nothing else changed, the timed gates are open: the daemon does
// not wake up in vain.
TEST(PolicyTest, NextCheckIsWhenTheGateOpens) {
    for (seconds age : {seconds(0), seconds(1), seconds(1799), seconds(3599)}) {
        PolicyInputs inputs{.now = {.boot_id = "b", .since_boot = kNow, .wall = kWall},
                            .readings = {.power = PowerReading{.has_battery = false},
                                         .interaction =
                                                 InteractionReading{.screen_on = false,
                                                                    .last_input = kNow - age}}};
        Decision first = Decide(inputs, {}, PolicyConfig());
        ASSERT_FALSE(first.run);
        inputs.now.since_boot = first.next_check;
        EXPECT_TRUE(Decide(inputs, {}, PolicyConfig()).run) << age.count();
    }
}

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

// The interval is a day and the deadline a week: steps of a day and a half.
TEST(PolicyTest, RelaxesStepByStepToTheDeadlineAndNeverBelowSafe) {
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

TEST(PolicyTest, AtTheDeadlineOnlySafetyHoldsUp) {
    Device busy;
    busy.SetAge(hours(24 * 7));
    busy.interaction = {.screen_on = true, .last_input = kNow};
    busy.interaction_error = "no right";
    busy.storage = {.busy_percent = 100, .in_flight = 99, .source = ""};
    busy.storage_error = "garbage";
    busy.power.percent = 40;
    busy.battery_heat = 450;
    EXPECT_TRUE(busy.Ask().run) << Closed(busy.Ask()).front();
    const std::vector<std::pair<const char*, std::function<void(Device*)>>> unsafe = {
            {"battery", [](Device* d) { d->power.percent = 39; }},
            {"battery", [](Device* d) { d->power_error = "garbage"; }},
            {"heat", [](Device* d) { d->battery_heat = 451; }},
            {"zones", [](Device* d) { d->zones.hottest = 851; }},
            {"checkpoint", [](Device* d) { d->checkpoint.pending = true; }},
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
        // Neither does a request pass these.
        device.SetAge(hours(1));
        device.requested = true;
        EXPECT_THAT(Closed(device.Ask()), ElementsAre(gate));
    }
    busy.SetAge(hours(1));
    busy.requested = true;
    EXPECT_TRUE(busy.Ask().run);
}

// Whatever is closed, it is looked at again at the next step of relaxing.
TEST(PolicyTest, LooksAgainWhenTheNextStepRelaxes) {
    Device device;
    device.SetAge(hours(24 + 36) - minutes(5));
    device.power.percent = 75;
    Decision decision = device.Ask();
    EXPECT_EQ(kNow + minutes(5), decision.next_check);
    EXPECT_TRUE(decision.watch_power);
    device.SetAge(hours(24 + 36));
    EXPECT_EQ(70, GateOf(device.Ask(), "battery").limit);
}

TEST(PolicyTest, ADeviceThatWasOffIsNotOverdue) {
    Device device;
    device.state.last_complete = device.Ago(hours(24 * 365), "old-boot");
    device.state.age = RunAge{.at = *device.state.last_complete};
    Decision decision = device.Ask();
    EXPECT_TRUE(decision.due);
    // On for the 100 hours of this boot.
    EXPECT_EQ(50, decision.relaxed_percent);
}

TEST(PolicyTest, UntilARunIsDueNothingButTimeIsWatched) {
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

TEST(PolicyTest, AnOverrideReplacesTheLimitInItsBootAndStaysSafe) {
    Device device;
    device.SetAge(hours(1));
    device.interaction.last_input = kNow - seconds(60);
    device.power.percent = 41;
    device.state.overrides = {{"interval", 3600}, {"untouched", 60}, {"battery", 41}};
    device.state.overrides_boot_id = "this-boot";
    Decision decision = device.Ask();
    EXPECT_TRUE(decision.run) << Closed(decision).front();
    EXPECT_TRUE(GateOf(decision, "battery").overridden);
    EXPECT_EQ(0, GateOf(decision, "battery").relaxed_by());
    EXPECT_FALSE(GateOf(decision, "heat").overridden);
    // Allowed on a charger, but not off it.
    device.state.overrides["battery"] = 20;
    EXPECT_EQ(40, GateOf(device.Ask(), "battery").limit);
    // A request has the floors, whatever root has set.
    device.state.overrides["battery"] = 100;
    device.requested = true;
    EXPECT_EQ(40, GateOf(device.Ask(), "battery").limit);
    EXPECT_FALSE(device.Ask().overridden());
    device.requested = false;
    device.state.overrides_boot_id = "old-boot";
    EXPECT_THAT(Closed(device.Ask()), ElementsAre("interval", "untouched", "battery"));
    device.boot_id = "";
    device.state.overrides_boot_id = "";
    EXPECT_FALSE(device.Ask().run);
}

TEST(PolicyTest, EveryOverrideNamesAGateAndItsUnit) {
    Decision decision = Device().Ask();
    for (const OverrideRange& range : OverrideRanges(PolicyConfig())) {
        EXPECT_EQ(range.unit, GateOf(decision, range.gate).unit);
        EXPECT_LE(range.min, range.max);
    }
}

TEST(PolicyTest, ARunUnderWayEndsForTouchAndSafetyButNotForItsOwnWork) {
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
        return StopReason(inputs, device.state, device.config, started);
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

TEST(PolicyTest, ReportsMarginAndDirection) {
    Device device;
    device.battery_heat = 410;
    Decision decision = device.Ask();
    EXPECT_EQ(-10, GateOf(decision, "heat").margin());
    EXPECT_TRUE(GateOf(decision, "heat").at_most);
    EXPECT_EQ(0, GateOf(decision, "battery").margin());
    EXPECT_EQ(std::nullopt, GateOf(decision, "interval").margin());
}

}  // namespace
}  // namespace storekeeper
