// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Tests of the beginning, the end and the memory of runs.

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maintenance/keeper.h"
#include "testing/no_threads.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;

TEST(KeeperRunTest, AFailedRunIsTriedAgainAfterAnHourNotAtOnce) {
    Phone phone;
    phone.FailTrim(EIO);
    phone.clock.Advance(hours(2));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ("io_error", phone.Property("storekeeper.status.last_outcome"));
    EXPECT_EQ("", phone.Property("storekeeper.status.last_run"));
    EXPECT_EQ(phone.clock.SinceBoot() + hours(1), phone.keeper().Tick().deadline);
    phone.FailTrim(0);
    phone.clock.Advance(hours(1));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ("trimmed", phone.Property("storekeeper.status.last_outcome"));
}

TEST(KeeperRunTest, ARunWithoutAThreadIsBegunAQuarterOfAnHourLater) {
    Phone phone;
    phone.clock.Advance(hours(2));
    {
        const NoThreads none;
        if (!none) GTEST_SKIP() << "this libc cannot refuse threads";
        EXPECT_EQ(phone.clock.SinceBoot() + minutes(15), phone.keeper().Tick().deadline);
        EXPECT_THAT(phone.keeper().Trim({}).error().message(), HasSubstr("cannot start a thread"));
    }
    phone.clock.Advance(minutes(15));
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ("trimmed", phone.Property("storekeeper.status.last_outcome"));
}

TEST(KeeperRunTest, ARunThatTookTheSystemDownIsNotTriedAtOnce) {
    Phone phone;
    phone.clock.Advance(hours(2));
    phone.DuringFitrim([&phone] {
        // The record that the next boot would find if the phone crashed now.
        EXPECT_THAT(phone.tree.Read("/data/misc/storekeeper/state.log"), HasSubstr("last_attempt"));
    });
    phone.keeper().Tick();
    phone.WaitUntilIdle();
}

TEST(KeeperRunTest, ManualTrimAsksNoGate) {
    Phone phone;
    phone.inputs.Set({.power = PowerReading{.has_battery = true, .percent = 3},
                      .interaction = InteractionReading{.screen_on = true}});
    const Result<TrimReceipt> receipt = phone.keeper().Trim({"/data"});
    ASSERT_TRUE(receipt.has_value());
    EXPECT_TRUE(receipt->manual);
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt->outcome);
    // A run of one mount is not complete.
    EXPECT_FALSE(phone.keeper().Status().state.last_complete.has_value());
    EXPECT_TRUE(phone.keeper().Trim({})->complete);
    EXPECT_TRUE(phone.keeper().Status().state.last_complete.has_value());
}

// The reason after the loop was woken in the middle of a step.
std::string ReasonAfter(MaintenanceReadings readings, const std::function<void(Phone&)>& begin) {
    Phone phone;
    phone.clock.Advance(hours(2));
    phone.DuringFitrim([&] {
        phone.clock.Advance(minutes(1));
        if (readings.interaction.ok() && readings.interaction->last_input.has_value()) {
            readings.interaction->last_input = phone.clock.SinceBoot();
        }
        phone.inputs.Set(readings);
        Keeper::Nap nap = phone.keeper().Tick();
        EXPECT_FALSE(nap.watch_input);
    });
    begin(phone);
    phone.WaitUntilIdle();
    const std::optional<TrimReceipt> run = phone.keeper().Status().last_run;
    if (!run.has_value()) return "no run";
    EXPECT_FALSE(phone.keeper().Tick().watch_input);
    return run->reason;
}

TEST(KeeperRunTest, AGateThatClosesEndsTheRunUnderWay) {
    const auto by_policy = [](Phone& phone) { phone.keeper().Tick(); };
    const auto by_request = [](Phone& phone) { phone.keeper().Maintain(); };
    const auto past_gates = [](Phone& phone) { phone.keeper().Trim({"/data"}); };
    MaintenanceReadings touched = FakeInputs::Untouched();
    EXPECT_THAT(ReasonAfter(touched, by_policy), HasSubstr("device in use: input"));
    EXPECT_EQ("", ReasonAfter(touched, by_request));
    EXPECT_EQ("", ReasonAfter(touched, past_gates));

    MaintenanceReadings unplugged = FakeInputs::Untouched();
    unplugged.interaction->last_input.reset();
    unplugged.power = PowerReading{.has_battery = true, .percent = 30, .on_charger = false};
    EXPECT_THAT(ReasonAfter(unplugged, by_policy), HasSubstr("battery: off charger"));
    EXPECT_THAT(ReasonAfter(unplugged, by_request), HasSubstr("battery: off charger"));
    EXPECT_EQ("", ReasonAfter(unplugged, past_gates));
}

// Heat and load announce nothing.
TEST(KeeperRunTest, TheGatesAreAskedEveryHalfMinuteDuringARun) {
    Phone phone;
    phone.clock.Advance(hours(2));
    std::optional<BootTime> deadline;
    phone.DuringFitrim([&] {
        deadline = phone.keeper().Tick().deadline;
        EXPECT_EQ(phone.clock.SinceBoot() + std::chrono::seconds(30), deadline);
    });
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_TRUE(deadline.has_value());
}

TEST(KeeperRunTest, ATrimByCommandIsRefusedDuringACheckpoint) {
    Phone phone;
    const std::string mounts = phone.tree.Read("/proc/self/mountinfo");
    phone.tree.Write("/proc/self/mountinfo",
                     mounts +
                             "60 21 259:9 / /mnt/x rw - f2fs /dev/block/x rw,checkpoint=disable\n");
    const auto refused = phone.keeper().Trim({});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(EBUSY, refused.error().code());
    EXPECT_THAT(refused.error().message(), HasSubstr("checkpoint=disable"));
    // A checkpoint that cannot be ruled out may be open.
    phone.tree.Remove("/proc/self/mountinfo");
    EXPECT_FALSE(phone.keeper().Trim({}).ok());
    EXPECT_TRUE(phone.syscalls.trimmed().empty());
    // It is no run, so the interval stays open.
    EXPECT_EQ(std::nullopt, phone.keeper().Status().state.last_complete);
}

// A touch ends a run by its time stamp, which is lost when the input devices are closed.
TEST(KeeperRunTest, ARefusedTrimKeepsTheInputWatchOfTheRunUnderWay) {
    Phone phone;
    phone.clock.Advance(hours(2));
    phone.DuringFitrim([&] {
        phone.keeper().Tick();
        EXPECT_EQ(EBUSY, phone.keeper().Trim({}).error().code());
        EXPECT_TRUE(phone.inputs.watched());
    });
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_EQ("trimmed", phone.Property("storekeeper.status.last_outcome"));
}

TEST(KeeperRunTest, AnOverdueRunIsNotWokenByInputsThatDoNotEndIt) {
    Phone phone;
    phone.clock.Advance(hours(24 * 8));
    phone.inputs.Set({.power = PowerReading{.has_battery = true, .percent = 100},
                      .interaction = InteractionReading{.screen_on = true}});
    bool asked = false;
    phone.DuringFitrim([&] {
        asked = true;
        EXPECT_FALSE(phone.keeper().Tick().watch_input);
    });
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    EXPECT_TRUE(asked);
}

TEST(KeeperRunTest, AReceiptOfManyMountsIsKeptAsFarAsARecordHasRoom) {
    Phone phone;
    std::vector<std::string> configured = {"/data"};
    for (int i = 0; i < 60; ++i) configured.push_back("/mnt/expand/" + std::to_string(i));
    phone.rules.configured = configured;
    phone.Restart();
    ASSERT_TRUE(phone.keeper().Trim({}).ok());
    phone.Restart();
    const std::vector<TrimReceipt> kept = phone.keeper().Receipts(9);
    ASSERT_EQ(1U, kept.size());
    EXPECT_GT(kept[0].mounts.size(), 10U);
    EXPECT_EQ(61U, kept[0].mounts.size() + kept[0].mounts_left_out);
}

TEST(KeeperRunTest, ARunOfThePolicyIsEndedByUseAndOneByRequestIsNot) {
    Phone phone;
    phone.clock.Advance(hours(2));
    bool requested = false;
    phone.DuringFitrim([&] {
        Keeper::Nap nap = phone.keeper().Tick();
        EXPECT_TRUE(nap.watch_power);
        EXPECT_EQ(!requested, nap.watch_input);
    });
    phone.keeper().Tick();
    phone.WaitUntilIdle();
    requested = true;
    EXPECT_EQ(TrimOutcome::kTrimmed, phone.keeper().Maintain()->outcome);
}

TEST(KeeperRunTest, AQueueThatInitDidNotPutBackIsPutBackAtTheNextLook) {
    Phone phone;
    const std::string size = std::string(FakeInit::kQueue) + "discard_max_bytes";
    const std::string before = phone.tree.Read(size);
    phone.DuringFitrim([&phone] {
        if (!phone.Property("storekeeper.queue.saved.nr_requests").empty()) phone.init.Stop();
    });
    ASSERT_TRUE(phone.keeper().Trim({"/data"}).ok());
    EXPECT_NE(before, phone.tree.Read(size));
    phone.init.Continue();
    phone.keeper().Tick();
    EXPECT_EQ(before, phone.tree.Read(size));
}

TEST(KeeperRunTest, ReceiptsOutliveTheDaemon) {
    Phone phone;
    phone.keeper().Trim({"/data"});
    phone.Restart();
    phone.FailTrim(EIO);
    phone.keeper().Trim({"/data"});
    const std::vector<TrimReceipt> receipts = phone.keeper().Receipts(5);
    ASSERT_EQ(2U, receipts.size());
    EXPECT_EQ(TrimOutcome::kIoError, receipts[0].outcome);
    EXPECT_EQ(TrimOutcome::kTrimmed, receipts[1].outcome);
}

TEST(KeeperRunTest, RefusalsAreNotRuns) {
    Phone phone;
    for (size_t i = 0; i < RecordFile::kMaxReceipts; ++i) phone.keeper().Trim({"/data"});
    for (int i = 0; i < 45; ++i) {
        const Result<TrimReceipt> refused = phone.keeper().Trim({"/nope"});
        ASSERT_TRUE(refused.has_value());
        EXPECT_EQ(TrimOutcome::kNotGiven, refused->outcome);
    }
    const std::vector<TrimReceipt> receipts = phone.keeper().Receipts(RecordFile::kMaxReceipts);
    ASSERT_EQ(RecordFile::kMaxReceipts, receipts.size());
    for (const TrimReceipt& receipt : receipts) {
        EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    }
    EXPECT_EQ(TrimOutcome::kTrimmed, phone.keeper().Status().last_run->outcome);
    EXPECT_EQ("trimmed", phone.Property("storekeeper.status.last_outcome"));
}

TEST(KeeperRunTest, AReceiptKeepsNoNameThatNobodyGave) {
    Phone phone;
    const std::string name = "/" + std::string(200, 'x');
    const Result<TrimReceipt> receipt = phone.keeper().Trim({name, "/data"});
    EXPECT_EQ(2U, receipt->mounts.size());
    const TrimReceipt kept = phone.keeper().Receipts(1).at(0);
    ASSERT_EQ(1U, kept.mounts.size());
    EXPECT_EQ("/data", kept.mounts[0].mount);
    EXPECT_EQ(1U, phone.keeper().Status().last_run->mounts.size());
}

}  // namespace
}  // namespace storekeeper
