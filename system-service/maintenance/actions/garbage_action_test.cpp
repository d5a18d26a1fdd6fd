// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/garbage_action.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/dirty_f2fs.h"

namespace storekeeper {
namespace {

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
        return GarbageAction({.files = files_, .clock = clock_, .records = records_}, lease_,
                             config_);
    }
    // The bytes that a daemon reads that starts now.
    uint64_t WrittenOnDisk() {
        RecordFile records(RealCalls(), tree_.PathOf("/state.log"));
        EXPECT_TRUE(records.Load().ok());
        return ParseActionMemory(records.Last(RecordKind::kActions))->week.written_bytes;
    }

    RecordFile records_{RealCalls(), tree_.PathOf("/state.log")};
    PolicyConfig config_;
    GcLease lease_{files_, clock_, pauser_, Properties(), terms_};
};

TEST_F(GarbageActionTest, ChargesWhatItWroteAndStopsAtTheWeeksEnd) {
    EXPECT_EQ(200 * kMib, Action().Plan().written_bytes);
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kDone, receipt.outcome) << receipt.note;
    EXPECT_EQ(160 * kMib, receipt.written_bytes);
    EXPECT_THAT(receipt.note, HasSubstr("from 400 to 80 dirty segments"));
    EXPECT_EQ(40 * kMib, Action().Plan().written_bytes);
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
    GarbageAction action({.files = files_, .clock = clock_, .records = missing}, lease_, config_);
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
    GcLease never(files_, clock_, pauser_, Properties(), {});
    GarbageAction action({.files = files_, .clock = clock_, .records = records_}, never, config_);
    EXPECT_THAT(action.Plan().what, HasSubstr("off: ro.storekeeper.gc.seconds is 0"));
    properties_["ro.storekeeper.gc.seconds"] = "-1";
    EXPECT_THAT(action.Plan().what, HasSubstr("off: ro.storekeeper.gc.seconds is -1"));
}

}  // namespace
}  // namespace storekeeper
