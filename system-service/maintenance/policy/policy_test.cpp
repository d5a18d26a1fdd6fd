// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/policy/policy.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "testing/policy_device.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(PolicyTest, RunsWhenEveryGateIsOpen) {
    Decision decision = Device().Ask();
    EXPECT_TRUE(decision.run);
    std::vector<std::string> names;
    for (const Gate& gate : decision.gates) names.push_back(gate.name);
    EXPECT_THAT(names, ElementsAre("interval", "written", "retry", "untouched", "battery", "heat",
                                   "zones", "storage", "checkpoint", "framework", "chip"));
}

struct Case {
    const char* name;
    std::function<void(Device*)> change;
    const char* closed;                 // the one closed gate; nullptr if it runs
    std::chrono::nanoseconds opens_in;  // if closed; 0: only an event opens it
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
        EXPECT_EQ(kNow + kEventFallback, decision.next_check);
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
                Case{"WrittenLessThanOnePercent",
                     [](Device* d) {
                         d->SetAge(hours(24));
                         d->state.written_bytes = 1001;
                     },
                     "written", hours(6)},
                Case{"WrittenOnePercent",
                     [](Device* d) {
                         d->SetAge(hours(24));
                         d->state.written_bytes = 1000;
                     },
                     nullptr,
                     {}},
                Case{"LittleWrittenAndARequest",
                     [](Device* d) {
                         d->SetAge(hours(25));
                         d->state.written_bytes = 1001;
                         d->requested = true;
                     },
                     nullptr,
                     {}},
                Case{"WritesNotCounted",
                     [](Device* d) {
                         d->SetAge(hours(24));
                         d->state.written_bytes = 1001;
                         d->written = android::base::Error() << "queue/iostats is 0 on dm-0";
                     },
                     nullptr,
                     {}},
                Case{"WritesNotCountedAtTheLastRun",
                     [](Device* d) { d->SetAge(hours(24)); },
                     nullptr,
                     {}},
                Case{"FileSystemMadeAnew",
                     [](Device* d) {
                         d->SetAge(hours(24));
                         d->state.written_bytes = 1011;
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
                Case{"HeatBroken",
                     [](Device* d) {
                         d->heat_error = "no running phone has it";
                         d->heat_errno = ERANGE;
                     },
                     nullptr,
                     {}},
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
                     [](Device* d) { d->checkpoint = "dm-3 is 1"; },
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

TEST(PolicyTest, ReportsWhatWasWritten) {
    constexpr uint64_t kMib = 1 << 20;
    Device device;
    EXPECT_EQ("no complete run yet", GateOf(device.Ask(), "written").note);
    device.SetAge(hours(24));
    EXPECT_EQ("not counted at the last run", GateOf(device.Ask(), "written").note);
    device.state.written_bytes = 5000 * kMib;
    EXPECT_EQ("the kernel's count decreased", GateOf(device.Ask(), "written").note);
    device.written = WrittenReading{.bytes = 5037 * kMib, .size_bytes = 1000 * kMib};
    EXPECT_EQ("37 MiB since the last run", GateOf(device.Ask(), "written").note);
    EXPECT_EQ(3, GateOf(device.Ask(), "written").value);
    EXPECT_EQ(1, GateOf(device.Ask(), "written").limit);
    device.written = android::base::Error() << "queue/iostats is 0 on dm-0";
    EXPECT_EQ("queue/iostats is 0 on dm-0", GateOf(device.Ask(), "written").note);
    EXPECT_EQ(std::nullopt, GateOf(device.Ask(), "written").value);
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

// At next_check the timed gates are open if nothing else has changed, so the daemon does not wake
// up in vain.
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

TEST(PolicyTest, NamesASensorThatIsLeftOut) {
    Device device;
    device.heat_error = "battery/temp is '31000'";
    device.heat_errno = ERANGE;
    device.zones = {.hottest = {}, .name = "", .problems = {"thermal_zone0/temp is '255000'"}};
    const Decision decision = device.Ask();
    EXPECT_TRUE(decision.run);
    for (const char* gate : {"heat", "zones"}) {
        EXPECT_EQ(std::nullopt, GateOf(decision, gate).value);
        EXPECT_THAT(GateOf(decision, gate).note, testing::HasSubstr("/temp is '"));
    }
}

// The interval ends between the question whether to watch input and the decision.
TEST(PolicyTest, LooksAgainAtOnceWhereInputWasNotWatched) {
    Device device;
    device.interaction.last_input.reset();
    const Decision decision = device.Ask();
    EXPECT_THAT(Closed(decision), ElementsAre("untouched"));
    EXPECT_EQ(kNow, decision.next_check);
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

TEST(PolicyTest, AStorageIsQuietBelowBothLimitsOfItsGate) {
    struct Row {
        std::optional<int> busy_percent;
        int64_t in_flight;
        bool quiet;
    };
    for (const Row& row : {Row{10, 1, true}, Row{11, 1, false}, Row{10, 2, false},
                           Row{std::nullopt, 1, true}, Row{std::nullopt, 2, false}}) {
        EXPECT_EQ(row.quiet,
                  IsQuiet({.busy_percent = row.busy_percent, .in_flight = row.in_flight}))
                << row.busy_percent.value_or(-1) << " %, " << row.in_flight;
    }
}

}  // namespace
}  // namespace storekeeper
