// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "report/report.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::hours;
using std::chrono::minutes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Sets the name of the card; trims are known to harm some cards.
void SetChip(Phone* phone, const std::string& name) {
    phone->tree.Write("/sys/dev/block/179:0/device/type", "MMC\n");
    phone->tree.Write("/sys/dev/block/179:0/device/name", name + "\n");
}

TEST(KeeperTest, RunsWhenTheGatesOpenAndNotAgainForADay) {
    Phone phone;
    phone.clock.Advance(minutes(10));
    Keeper::Nap nap = phone.keeper().Tick();
    // The phone is untouched since boot, which is 100 s before FakeClock begins.
    EXPECT_EQ(BootTime(hours(1)), nap.deadline);
    EXPECT_THAT(phone.syscalls.trimmed(), IsEmpty());

    phone.clock.Advance(hours(1));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_THAT(phone.syscalls.trimmed(), ElementsAre("/data", "/cache"));
    EXPECT_EQ("idle", phone.Property("storekeeper.status.state"));
    EXPECT_EQ("trimmed", phone.Property("storekeeper.status.last_outcome"));
    EXPECT_EQ(std::to_string(phone.clock.Wall().count()),
              phone.Property("storekeeper.status.last_run"));

    nap = phone.keeper().Tick();
    EXPECT_EQ(phone.clock.SinceBoot() + hours(24), phone.keeper().Status().decision.next_check);
    // The memory of runs is written meanwhile.
    EXPECT_EQ(phone.clock.SinceBoot() + hours(6), nap.deadline);
    phone.clock.Advance(hours(24));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ(4U, phone.syscalls.trimmed().size());
}

TEST(KeeperTest, WatchesInputOnlyWhileARunIsDueOrUnderWay) {
    Phone phone;
    phone.clock.Advance(hours(2));
    phone.DuringFitrim([&phone] {
        phone.keeper().Status();
        EXPECT_TRUE(phone.inputs.watched());
    });
    phone.keeper().Tick();
    EXPECT_TRUE(phone.inputs.watched());
    phone.WaitUntilIdle();
    phone.keeper().Tick();
    EXPECT_FALSE(phone.inputs.watched());
    phone.keeper().Status();
    EXPECT_FALSE(phone.inputs.watched());
    phone.clock.Advance(hours(24));
    phone.keeper().Status();
    EXPECT_TRUE(phone.inputs.watched());
}

// Counts how often the loop wakes in a month in which the battery reports all the time.
TEST(KeeperTest, WakesSeldomWhateverHappens) {
    for (const bool due : {true, false}) {
        Phone phone;
        if (!due) {
            phone.clock.Advance(hours(2));
            phone.keeper().Trim({});
        }
        MaintenanceReadings readings = FakeInputs::Untouched();
        readings.power = PowerReading{.has_battery = true, .percent = 5};
        readings.interaction = InteractionReading{.screen_on = false, .last_input = BootTime(0)};
        phone.inputs.Set(readings);
        const BootTime end = phone.clock.SinceBoot() + hours(due ? 24 * 30 : 23);
        while (phone.clock.SinceBoot() < end) {
            Keeper::Nap nap = phone.keeper().Tick();
            ASSERT_TRUE(nap.deadline.has_value());
            // The loop wakes by an event three seconds later, or at the deadline.
            const BootTime now = phone.clock.SinceBoot();
            phone.clock.Advance(nap.watch_power ? BootTime(std::chrono::seconds(3))
                                                : std::max(*nap.deadline - now, BootTime(1)));
        }
        EXPECT_LE(phone.keeper().Status().wakes.most(), due ? 12U : 4U);
    }
}

// Brings the phone into use, with a run due and all permitted wake-ups of the loop spent.
void UseUpWakeBudget(Phone& phone) {
    phone.clock.Advance(hours(2));
    MaintenanceReadings readings = FakeInputs::Untouched();
    readings.interaction =
            InteractionReading{.screen_on = false, .last_input = phone.clock.SinceBoot()};
    phone.inputs.Set(readings);
    for (size_t i = 0; i < WakeBudget::kPerHourDue; ++i) phone.keeper().Tick();
}

TEST(KeeperTest, ReportNamesTheWakeBudgetThatDefersARun) {
    Phone phone;
    UseUpWakeBudget(phone);
    phone.inputs.Set(FakeInputs::Untouched());
    phone.clock.Advance(minutes(10));
    const KeeperStatus status = phone.keeper().Status();
    ASSERT_TRUE(status.decision.run);
    const std::string why = WhyText(status);
    EXPECT_THAT(why, HasSubstr("Maintenance: idle, next check in 50 min\n"));
    EXPECT_THAT(why, HasSubstr("Configuration: built-in defaults\n"));
    EXPECT_THAT(why, HasSubstr("The wake-up budget defers the next run for 50 min: 12 wake-ups in "
                               "the last hour,\n    the limit.\n"));
    phone.clock.Advance(minutes(50));
    EXPECT_THAT(WhyText(phone.keeper().Status()), HasSubstr("All gates are open.\n"));
}

TEST(KeeperTest, ALimitThatRootSetIsNotHeldBackByTheWakeBudget) {
    Phone phone;
    UseUpWakeBudget(phone);
    ASSERT_EQ(phone.clock.SinceBoot() + hours(1), phone.keeper().Tick().deadline);
    ASSERT_TRUE(phone.keeper().SetOverride("untouched", 5).ok());
    EXPECT_EQ(phone.clock.SinceBoot() + std::chrono::seconds(5), phone.keeper().Tick().deadline);
    ASSERT_TRUE(phone.keeper().SetOverride("untouched", std::nullopt).ok());
    EXPECT_EQ(phone.clock.SinceBoot() + hours(1), phone.keeper().Tick().deadline);
}

TEST(KeeperTest, KeepsTheDeviceAwakeWhileARunIsUnderWayOnly) {
    Phone phone;
    phone.DuringFitrim([&phone] { EXPECT_TRUE(phone.awake); });
    EXPECT_FALSE(phone.awake);
    phone.keeper().Trim({});
    phone.WaitUntilMaySuspend();
    EXPECT_EQ(2U, phone.syscalls.trimmed().size());
}

TEST(KeeperTest, ARunThatHangsDoesNotKeepTheDeviceAwake) {
    Phone phone;
    std::atomic<bool> first = true;
    const BootTime begin = phone.clock.SinceBoot();
    phone.DuringFitrim([&] {
        if (!first.exchange(false)) return;
        EXPECT_EQ(begin + minutes(30), phone.keeper().Tick().deadline);
        phone.clock.Advance(minutes(29));
        phone.keeper().Tick();
        EXPECT_TRUE(phone.awake);
        phone.clock.Advance(minutes(1));
        EXPECT_EQ(std::nullopt, phone.keeper().Tick().deadline);
        EXPECT_FALSE(phone.awake);
    });
    phone.keeper().Trim({});
    phone.WaitUntilMaySuspend();
}

TEST(KeeperTest, RemembersWhatHeldUpADueRun) {
    Phone phone;
    MaintenanceReadings readings = FakeInputs::Untouched();
    readings.power = PowerReading{.has_battery = true, .percent = 5};
    phone.inputs.Set(readings);
    phone.clock.Advance(hours(2));
    for (int i = 0; i < 3; ++i) phone.keeper().Tick();
    readings.battery_heat = 500;
    phone.inputs.Set(readings);
    phone.keeper().Tick();
    phone.keeper().WriteDown();
    phone.Restart();
    const std::vector<RefusedRun> refused = phone.keeper().Status().state.refused;
    ASSERT_EQ(2U, refused.size());
    EXPECT_EQ("battery", refused[0].gates);
    EXPECT_EQ("battery heat", refused[1].gates);
    for (int i = 0; i < 100; ++i) {
        readings.battery_heat = 500 - i % 2 * 250;
        phone.inputs.Set(readings);
        phone.keeper().Tick();
    }
    EXPECT_EQ(kMaxRefusedRuns, phone.keeper().Status().state.refused.size());
}

TEST(KeeperTest, PublishesWhatADueRunWaitsFor) {
    constexpr char kWaitingFor[] = "storekeeper.status.waiting_for";
    Phone phone;
    phone.init.properties().set(kWaitingFor, "left_by_a_daemon_that_died");
    MaintenanceReadings readings = FakeInputs::Untouched();
    readings.power = PowerReading{.has_battery = true, .percent = 5};
    readings.battery_heat = 500;
    phone.inputs.Set(readings);
    phone.keeper().Tick();
    EXPECT_EQ("untouched,battery,heat", phone.Property(kWaitingFor));
    phone.clock.Advance(hours(2));
    phone.keeper().Tick();
    EXPECT_EQ("battery,heat", phone.Property(kWaitingFor));
    phone.inputs.Set(FakeInputs::Untouched());
    phone.keeper().Tick();
    EXPECT_EQ("", phone.Property(kWaitingFor));
    phone.WaitUntilIdle();
    // After a complete run none is due.
    phone.inputs.Set(readings);
    phone.keeper().Tick();
    EXPECT_EQ("", phone.Property(kWaitingFor));
}

TEST(KeeperTest, WritesItsMemoryAFewTimesADay) {
    Phone phone;
    MaintenanceReadings readings = FakeInputs::Untouched();
    phone.inputs.Set(readings);
    int writings = 0;
    std::string before;
    for (int minute = 0; minute < 24 * 60; minute += 5) {
        readings.power = PowerReading{.has_battery = true, .percent = 5};
        readings.battery_heat = 500 - minute % 2 * 250;
        phone.inputs.Set(readings);
        phone.keeper().Tick();
        phone.clock.Advance(minutes(5));
        std::string now = phone.tree.Read("/data/misc/storekeeper/state.log");
        if (now != before) ++writings;
        before = std::move(now);
    }
    EXPECT_GE(writings, 2);
    EXPECT_LE(writings, 8);
}

// Writes the files of two file systems, 1 GiB together, that have written this much.
void SetWritten(Phone* phone, uint64_t mib) {
    for (const auto& [number, sectors] : {std::pair("1", "97152"), std::pair("2", "2000000")}) {
        const std::string node = std::string("/sys/dev/block/179:") + number;
        phone->tree.Write(node + "/size", std::string(sectors) + "\n");
        phone->tree.Write(node + "/uevent", std::string("DEVNAME=mmcblk0p") + number + "\n");
        phone->tree.Write(std::string("/sys/fs/ext4/mmcblk0p") + number + "/lifetime_write_kbytes",
                          (number[0] == '2' ? std::to_string(mib * 1024) : "500") + "\n");
    }
}

TEST(KeeperTest, ARunIsDueAfterADayInWhichOnePercentWasWritten) {
    Phone phone;
    SetWritten(&phone, 5000);
    phone.clock.Advance(hours(2));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ(2U, phone.syscalls.trimmed().size());
    phone.Restart();
    phone.clock.Advance(hours(24));
    SetWritten(&phone, 5010);
    Keeper::Nap nap = phone.keeper().Tick();
    const Decision decision = phone.keeper().Status().decision;
    EXPECT_FALSE(decision.due);
    EXPECT_FALSE(phone.inputs.watched());
    EXPECT_THAT(DescribeGates(decision, false),
                HasSubstr("written 0 % (limit >= 1 %, 10 MiB since "));
    EXPECT_EQ(phone.clock.SinceBoot() + hours(6), nap.deadline);
    EXPECT_FALSE(nap.watch_power);
    phone.clock.Advance(hours(6));
    SetWritten(&phone, 5011);
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ(4U, phone.syscalls.trimmed().size());
}

TEST(KeeperTest, OwnsTrimsAndSaysSoEverySixHours) {
    Phone phone;
    SetChip(&phone, "KYL00M");
    EXPECT_EQ("", phone.Property("storekeeper.trim.owner"));
    phone.keeper().Tick();
    EXPECT_EQ("storekeeper", phone.Property("storekeeper.trim.owner"));
    EXPECT_EQ("100", phone.Property("storekeeper.trim.beat"));
    phone.clock.Advance(hours(5));
    phone.keeper().Tick();
    EXPECT_EQ("100", phone.Property("storekeeper.trim.beat"));
    phone.clock.Advance(hours(1));
    phone.keeper().Tick();
    EXPECT_EQ(std::to_string(100 + 6 * 3600), phone.Property("storekeeper.trim.beat"));
}

TEST(KeeperTest, RefusalsAreReadAtEachTick) {
    Phone phone;
    phone.clock.Advance(hours(2));
    SetChip(&phone, "KYL00M");
    phone.keeper().Tick();
    EXPECT_THAT(phone.keeper().Maintain().error().message(),
                HasSubstr("chip (/cache: MMC chip KYL00M"));
    EXPECT_THAT(phone.syscalls.trimmed(), IsEmpty());
    SetChip(&phone, "TESTM1");
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ(2U, phone.syscalls.trimmed().size());
}

TEST(KeeperTest, TheDayCountsAcrossARestart) {
    Phone phone;
    phone.clock.Advance(hours(2));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    phone.clock.Advance(hours(23));
    phone.Restart();
    EXPECT_EQ(phone.clock.SinceBoot() + hours(1), phone.keeper().Tick().deadline);
    EXPECT_NE("", phone.Property("storekeeper.status.last_run"));
}

TEST(KeeperTest, EverythingElseAnswersWhileATrimRuns) {
    Phone phone;
    std::promise<void> under_way;
    std::promise<void> release;
    std::atomic<bool> first = true;
    phone.DuringFitrim([&] {
        if (!first.exchange(false)) return;
        under_way.set_value();
        release.get_future().wait();
    });
    auto run = std::async(std::launch::async, [&] { return phone.keeper().Trim({}); });
    under_way.get_future().wait();
    KeeperStatus status = phone.keeper().Status();
    EXPECT_TRUE(status.progress.running);
    EXPECT_EQ("/data", status.progress.mount);
    EXPECT_EQ("trimming", phone.Property("storekeeper.status.state"));
    EXPECT_TRUE(phone.keeper().IsRunUnderWay());
    EXPECT_EQ("mmcblk0", phone.daemon().Health().storage.device);
    EXPECT_EQ(EBUSY, phone.keeper().Trim({}).error().code());
    // A run by command is watched only for its end.
    EXPECT_FALSE(phone.keeper().Tick().watch_power);
    EXPECT_TRUE(phone.keeper().Abort());
    release.set_value();
    EXPECT_EQ(TrimOutcome::kAborted, run.get()->outcome);
    EXPECT_FALSE(phone.keeper().Abort());
}

TEST(KeeperTest, ACorruptStateFileLeavesTheServiceUpWithANote) {
    Phone phone;
    phone.tree.Write("/data/misc/storekeeper/state.log", "garbage");
    phone.Restart();
    KeeperStatus status = phone.keeper().Status();
    ASSERT_EQ(1U, status.notes.size());
    EXPECT_THAT(status.notes[0], HasSubstr("was set aside as"));
    EXPECT_TRUE(phone.keeper().Trim({})->complete);
}

TEST(KeeperTest, AChipThatTrimsHarmIsNotedAndLeftAlone) {
    Phone phone;
    SetChip(&phone, "MAG2GA");
    EXPECT_EQ(TrimOutcome::kChipQuirk, phone.keeper().Trim({})->outcome);
    EXPECT_THAT(phone.syscalls.fitrims(), IsEmpty());
    ASSERT_EQ(1U, phone.keeper().Status().notes.size());
    EXPECT_THAT(phone.keeper().Status().notes[0], HasSubstr("MAG2GA"));
    EXPECT_THAT(phone.keeper().Maintain().error().message(),
                HasSubstr("ro.storekeeper.trim.force_quirk"));
}

}  // namespace
}  // namespace storekeeper
