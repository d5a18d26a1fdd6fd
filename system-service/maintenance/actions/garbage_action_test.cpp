// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/garbage_action.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/smart_idle_maintenance.h"
#include "testing/dirty_f2fs.h"

namespace storekeeper {
namespace {

using std::chrono::minutes;
using testing::HasSubstr;

constexpr uint64_t kMib = 1 << 20;

class GarbageActionTest : public DirtyF2fsTest {
  protected:
    GarbageActionTest() {
        tree_.Write("/proc/self/mountinfo", "40 21 179:2 / /data rw - f2fs /dev/x rw\n");
        config_.week_write_mib = 200;
    }

    ActionReceipt Run() { return Action().Run(stop_); }
    GarbageAction Action() {
        return GarbageAction({.files = files_, .clock = clock_, .records = records_}, pauser_,
                             Properties(), terms_, config_);
    }
    // The bytes that a daemon reads that starts now.
    uint64_t WrittenOnDisk() {
        RecordFile records(RealCalls(), tree_.PathOf("/state.log"));
        EXPECT_TRUE(records.Load().ok());
        return ParseFields<ActionMemory>(records.Last(RecordKind::kActions))->week.written_bytes;
    }

    RecordFile records_{RealCalls(), tree_.PathOf("/state.log")};
    PolicyConfig config_;
};

TEST_F(GarbageActionTest, ChargesWhatItWroteAndStopsAtTheWeeksEnd) {
    EXPECT_EQ(200 * kMib, Action().Plan().written_bytes);
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kDone, receipt.outcome) << receipt.note;
    EXPECT_EQ(160 * kMib, receipt.written_bytes);
    EXPECT_EQ("from 400 to 80 dirty segments; ended: few dirty segments left", receipt.note);
    EXPECT_EQ(40 * kMib, Action().Plan().written_bytes);
    config_.week_write_mib = 100;
    EXPECT_EQ("the write budget of the week is used up", Action().Plan().what);
    config_.week_write_mib = 200;
    dirty_ = 400;
    Show();
    EXPECT_THAT(Run().note, HasSubstr("write limit reached"));
    EXPECT_EQ("the write budget of the week is used up", Run().note);
    EXPECT_FALSE(Action().Plan().would_act);
}

TEST_F(GarbageActionTest, ACrashMeanwhileCostsTheBudget) {
    uint64_t on_disk = 0;
    during_ = [&] { on_disk = WrittenOnDisk(); };
    Run();
    EXPECT_EQ(200 * kMib, on_disk);
}

TEST_F(GarbageActionTest, WithoutARecordOfTheChargeNothingIsCollected) {
    RecordFile missing(RealCalls(), tree_.PathOf("/nowhere/state.log"));
    GarbageAction action({.files = files_, .clock = clock_, .records = missing}, pauser_,
                         Properties(), terms_, config_);
    const ActionReceipt receipt = action.Run(stop_);
    EXPECT_EQ(ActionOutcome::kFailed, receipt.outcome);
    EXPECT_THAT(receipt.note, HasSubstr("/nowhere"));
    EXPECT_EQ(0U, receipt.written_bytes);
    EXPECT_EQ("", properties_["storekeeper.gc.urgent"]);
}

TEST_F(GarbageActionTest, SaysWhyNot) {
    tree_.Write("/proc/self/mountinfo", "40 21 179:2 / /data rw - ext4 /dev/x rw\n");
    EXPECT_EQ("/data is ext4, not f2fs", Run().note);
    EXPECT_EQ("/data is ext4, not f2fs", Action().Plan().what);
    tree_.Write("/proc/self/mountinfo", "40 21 179:2 / /cache rw - f2fs /dev/x rw\n");
    EXPECT_EQ("nothing is mounted on /data", Run().note);
    terms_ = {};
    EXPECT_EQ("off: ro.storekeeper.gc.seconds is 0", Action().Plan().what);
    properties_["ro.storekeeper.gc.seconds"] = "-1";
    EXPECT_EQ("off: ro.storekeeper.gc.seconds is -1", Action().Plan().what);
}

TEST_F(GarbageActionTest, KernelsShowUrgencyInDifferentWays) {
    config_.week_write_mib = 1024;
    for (const char* urgent : {"1\n", "3\n", "4\n", "4 (urgent)\n"}) {
        urgent_ = urgent;
        dirty_ = 400;
        Show();
        EXPECT_THAT(Run().note, HasSubstr("ended: few dirty segments left")) << urgent;
        EXPECT_EQ("0\n", Urgent());
    }
}

TEST_F(GarbageActionTest, ExpiresByTimeAndByBytes) {
    config_.week_write_mib = 1 << 20;
    dirty_ = 100000;
    Show();
    EXPECT_THAT(Run().note, HasSubstr("write limit reached"));
    terms_.most_written_bytes = UINT64_MAX;
    const ActionReceipt receipt = Run();
    EXPECT_THAT(receipt.note, HasSubstr("time limit reached"));
    EXPECT_EQ(minutes(7), receipt.duration);
    EXPECT_EQ("0\n", Urgent());
}

TEST_F(GarbageActionTest, AStopAndTheFrameworkEndIt) {
    during_ = [this] { stop_.Raise("somebody touched the screen"); };
    const ActionReceipt stopped = Run();
    EXPECT_EQ(ActionOutcome::kStopped, stopped.outcome);
    EXPECT_THAT(stopped.note, HasSubstr("ended: somebody touched the screen"));
    EXPECT_EQ("0\n", Urgent());
    stop_.Reset();
    during_ = [this] { properties_[kSmartIdleMaintenance] = "true"; };
    EXPECT_THAT(Run().note, HasSubstr("ended: smart idle maintenance is enabled"));
    EXPECT_EQ("0\n", Urgent());
    for (const char* value : {"1", "true"}) {
        properties_[kSmartIdleMaintenance] = value;
        const ActionReceipt never = Run();
        EXPECT_EQ(ActionOutcome::kNothing, never.outcome) << value;
        EXPECT_EQ("smart idle maintenance is enabled", never.note);
    }
}

TEST_F(GarbageActionTest, LeavesItToAProcessThatHasBegun) {
    tree_.Write(std::string(kFolder) + "gc_urgent", "3\n");
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kFailed, receipt.outcome);
    EXPECT_EQ("another process has set gc_urgent to 3", receipt.note);
    EXPECT_EQ("3\n", Urgent());
    EXPECT_EQ(200 * kMib, Action().Plan().written_bytes);
}

TEST_F(GarbageActionTest, WithoutInitNothingIsLeft) {
    init_works_ = false;
    EXPECT_THAT(Run().note, HasSubstr("init did not set gc_urgent"));
    EXPECT_EQ("0", properties_["storekeeper.gc.urgent"]);
}

TEST_F(GarbageActionTest, TheNextDaemonEndsWhatTheLastLeft) {
    Set("storekeeper.gc.urgent", "1");
    ASSERT_TRUE(Action().Restore().ok());
    EXPECT_EQ("0\n", Urgent());
}

}  // namespace
}  // namespace storekeeper
