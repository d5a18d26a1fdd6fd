// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/defrag_action.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "testing/fake_ufs.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr uint64_t kMib = 1 << 20;

class DefragActionTest : public testing::Test {
  protected:
    DefragActionTest() { action_.NoteReads(Reads(microseconds(100))); }

    ReadFigure Reads(microseconds time, uint64_t count = kMinReads) {
        ReadFigure figure{.begin = clock_.SinceBoot(), .sample = {.source = LatencySource::kProbe}};
        figure.sample.histogram.Add(time, count);
        return figure;
    }
    // Records enough reads to push the older ones out.
    void ReadsTake(microseconds time) { action_.NoteReads(Reads(time)); }
    ActionReceipt Run() { return action_.Run(stop_); }
    uint64_t Written() {
        return ParseFields<ActionMemory>(records_.Last(RecordKind::kActions))->week.written_bytes;
    }

    Tree tree_;
    FileReader files_ = tree_.files();
    FakeClock clock_;
    FakePauser pauser_{clock_};
    FakeUfs ufs_{tree_, clock_, pauser_};
    RecordFile records_{RealCalls(), tree_.PathOf("/state.log")};
    HidControl hid_{files_, pauser_, ufs_.properties()};
    PolicyConfig config_;
    DefragAction action_{{.files = files_, .clock = clock_, .records = records_},
                         hid_,
                         pauser_,
                         config_};
    StopSignal stop_;
};

TEST_F(DefragActionTest, LeavesAUfsAloneWhoseReadsAreNotSlow) {
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kNothing, receipt.outcome);
    EXPECT_THAT(receipt.note, HasSubstr("reads are not slow"));
    EXPECT_EQ(0U, ufs_.analyses);
    EXPECT_EQ("", ufs_.values["storekeeper.hid.analysis"]);
}

TEST_F(DefragActionTest, MovesNoMoreThanARunMayAndGoesOnInTheNext) {
    Run();
    ReadsTake(microseconds(300));
    ActionPlan plan = action_.Plan();
    EXPECT_TRUE(plan.would_act);
    EXPECT_EQ(256 * kMib, plan.written_bytes);
    EXPECT_EQ("reads are slow", plan.what);
    ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kDone, receipt.outcome);
    EXPECT_EQ(256 * kMib, receipt.written_bytes);
    EXPECT_EQ("344 MiB are left for the next run", receipt.note);
    EXPECT_EQ(256 * kMib, ufs_.moved);
    EXPECT_EQ(256 * kMib, Written());
    // No operation stays under way.
    EXPECT_EQ(HidState::kIdle, ufs_.state);
    EXPECT_EQ("disable", ufs_.values["storekeeper.hid.defrag"]);
    EXPECT_EQ("disable", ufs_.values["storekeeper.hid.analysis"]);
    Run();
    receipt = Run();
    EXPECT_EQ(ActionOutcome::kDone, receipt.outcome);
    EXPECT_EQ("0 bytes are fragmented, less than 64 MiB: the round has ended, 600 MiB moved",
              receipt.note);
    EXPECT_EQ(600 * kMib, ufs_.moved);
}

TEST_F(DefragActionTest, TheWeeksBudgetIsTheLimit) {
    Run();
    ReadsTake(microseconds(300));
    ufs_.fragmented = 5000 * kMib;
    for (int run = 0; run < 8; ++run) {
        Run();
        clock_.Advance(hours(20));
    }
    EXPECT_EQ(1024 * kMib, ufs_.moved);
    EXPECT_EQ("the write budget of the week is used up", action_.Plan().what);
    clock_.Advance(hours(24));
    EXPECT_EQ(256 * kMib, Run().written_bytes);
}

TEST_F(DefragActionTest, AStopEndsItAndChargesWhatWasMoved) {
    Run();
    ReadsTake(microseconds(300));
    ufs_.during = [this] {
        if (ufs_.moved >= 64 * kMib) stop_.Raise("somebody touched the screen");
    };
    const BootTime begun = clock_.SinceBoot();
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kStopped, receipt.outcome);
    EXPECT_EQ("somebody touched the screen", receipt.note);
    EXPECT_EQ(HidState::kIdle, ufs_.state);
    EXPECT_EQ(64 * kMib, ufs_.moved);
    // The chip reports the progress in whole percent.
    EXPECT_LE(61 * kMib, receipt.written_bytes);
    EXPECT_GE(64 * kMib, receipt.written_bytes);
    EXPECT_EQ(receipt.written_bytes, Written());
    EXPECT_GT(seconds(15), clock_.SinceBoot() - begun);
}

TEST_F(DefragActionTest, AClosedGateEndsAnAnalysis) {
    Run();
    ReadsTake(microseconds(300));
    ufs_.during = [this] {
        if (ufs_.state == HidState::kAnalysis) stop_.Raise("the battery is too hot");
    };
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kStopped, receipt.outcome);
    EXPECT_EQ("the battery is too hot", receipt.note);
    EXPECT_EQ(HidState::kIdle, ufs_.state);
    EXPECT_EQ(0U, ufs_.moved);
}

TEST_F(DefragActionTest, ACrashMeanwhileHasUsedTheBudget) {
    Run();
    ReadsTake(microseconds(300));
    uint64_t charged = 0;
    ufs_.during = [&] {
        if (ufs_.state != HidState::kDefrag) return;
        // The record that the next daemon would find on the disk.
        RecordFile next(RealCalls(), tree_.PathOf("/state.log"));
        charged = ParseFields<ActionMemory>(next.Last(RecordKind::kActions))->week.written_bytes;
        stop_.Raise("enough");
    };
    Run();
    EXPECT_EQ(256 * kMib, charged);
}

TEST_F(DefragActionTest, TheNextDaemonEndsWhatTheLastLeft) {
    ufs_.properties().set("storekeeper.hid.analysis", "enable");
    EXPECT_EQ(HidState::kAnalysis, ufs_.state);
    ASSERT_TRUE(action_.Restore().ok());
    EXPECT_EQ(HidState::kIdle, ufs_.state);
    // An operation of another process is not ended.
    ufs_.state = HidState::kDefrag;
    ASSERT_TRUE(action_.Restore().ok());
    EXPECT_EQ(HidState::kDefrag, ufs_.state);
}

TEST_F(DefragActionTest, WithoutInitOrAWillingChipItFailsAndSaysSo) {
    Run();
    ReadsTake(microseconds(300));
    ufs_.chip_works = false;
    ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kFailed, receipt.outcome);
    EXPECT_THAT(receipt.note, HasSubstr("the UFS did not begin, it is still idle"));
    EXPECT_EQ("disable", ufs_.values["storekeeper.hid.analysis"]);
    ufs_.chip_works = true;
    // init analyzes, but does not set the size: the UFS must not defragment without that limit.
    ufs_.during = [this] {
        if (ufs_.state == HidState::kDefragRequired) ufs_.init_works = false;
    };
    receipt = Run();
    EXPECT_EQ(ActionOutcome::kFailed, receipt.outcome);
    EXPECT_THAT(receipt.note, HasSubstr("init did not set defrag_size to 65536"));
    EXPECT_EQ(0U, ufs_.moved);
    EXPECT_EQ(0U, Written());
}

TEST_F(DefragActionTest, AnotherChipBeginsWithoutMemory) {
    Run();
    ReadsTake(microseconds(300));
    EXPECT_TRUE(action_.Plan().would_act);
    tree_.Write(std::string(FakeUfs::kStrings) + "product_revision", "0200\n");
    EXPECT_FALSE(action_.Plan().would_act);
}

TEST_F(DefragActionTest, AMemoryThatIsDamagedIsEmptyAndNoted) {
    records_.Put(RecordKind::kActions, "{\"week\":3}");
    EXPECT_EQ(ActionOutcome::kNothing, Run().outcome);
    EXPECT_THAT(records_.notes(), testing::Contains(HasSubstr("its week has another type")));
}

// The cases: missing nodes, a vendor's nodes, an attribute that the chip refuses, an unknown word.
TEST_F(DefragActionTest, AnAbsentDefragmentationIsNotDriven) {
    ReadsTake(microseconds(9000));
    ufs_.state = HidState::kUnknown;
    ufs_.Show();
    EXPECT_THAT(Run().note, HasSubstr("a state that is not known"));
    tree_.Remove(std::string(FakeUfs::kHid) + "state");
    EXPECT_THAT(Run().note, HasSubstr("no host-initiated defragmentation (UFS 4.1, Linux 6.17)"));
    EXPECT_EQ(ActionOutcome::kNothing, Run().outcome);
    tree_.MakeDirectory("/sys/dev/block/8:0/ufshid");
    EXPECT_THAT(action_.Plan().what, HasSubstr("a vendor's defragmentation, ufshid"));
    tree_.Remove("/sys/dev/block/8:0/string_descriptors");
    EXPECT_EQ("the disk of /data is not a UFS", action_.Plan().what);
    tree_.Remove("/proc/self/mountinfo");
    EXPECT_FALSE(action_.Plan().would_act);
    EXPECT_EQ(ActionOutcome::kFailed, Run().outcome);
    EXPECT_EQ(0U, ufs_.analyses);
}

TEST_F(DefragActionTest, AnAnalysisWithoutASizeIsTheEnd) {
    Run();
    ReadsTake(microseconds(300));
    ufs_.during = [this] {
        if (ufs_.state != HidState::kDefragRequired) return;
        tree_.Write(std::string(FakeUfs::kHid) + "fragmented_size", "4294967295\n");
    };
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kNothing, receipt.outcome);
    EXPECT_EQ("the UFS does not report how much is fragmented", receipt.note);
    EXPECT_EQ(0U, ufs_.moved);
}

TEST_F(DefragActionTest, InitDrivesTheDiskOfDataAlone) {
    Run();
    ReadsTake(microseconds(300));
    tree_.Write("/dev/sys/block/by-name/rootdisk/dev", "8:16\n");
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kFailed, receipt.outcome);
    EXPECT_EQ("init can drive the disk 8:16 only, this is 8:0", receipt.note);
}

// The standard lets the device forget its answer once it was read.
TEST_F(DefragActionTest, ADeviceMayShowItsAnswerOnce) {
    Run();
    ReadsTake(microseconds(300));
    ufs_.analysis = seconds(1);
    HidState shown = HidState::kIdle;
    ufs_.during = [&] {
        // The pause after the one that showed the answer.
        if (shown == HidState::kDefragRequired && ufs_.state == shown) ufs_.state = HidState::kIdle;
        shown = ufs_.state;
        ufs_.Show();
    };
    const ActionReceipt receipt = Run();
    EXPECT_EQ(ActionOutcome::kDone, receipt.outcome) << receipt.note;
    EXPECT_EQ(256 * kMib, ufs_.moved);
}

// The probe reads 10 times in a run.
TEST_F(DefragActionTest, RunsOfTheProbeAddUp) {
    DefragAction action({.files = files_, .clock = clock_, .records = records_}, hid_, pauser_,
                        config_);
    for (int run = 0; run < 4; ++run) action.NoteReads(Reads(microseconds(100), 10));
    EXPECT_EQ("fewer than 48 reads have been measured", action.Plan().what);
    action.NoteReads(Reads(microseconds(100), 10));
    EXPECT_THAT(action.Run(stop_).note, HasSubstr("reads are not slow"));
    action.NoteReads(Reads(microseconds(300), 10));
    action.Run(stop_);
    EXPECT_LT(0U, ufs_.moved);
}

TEST_F(DefragActionTest, LeavesADefragmentationOfOthersAlone) {
    Run();
    ReadsTake(microseconds(300));
    ufs_.state = HidState::kDefrag;
    ufs_.Show();
    const ActionReceipt receipt = Run();
    EXPECT_THAT(receipt.note, HasSubstr("another process has begun"));
    EXPECT_EQ(HidState::kDefrag, ufs_.state);
    EXPECT_EQ(EBUSY, hid_.Analyze(FakeUfs::kDisk).error().code());
}

}  // namespace
}  // namespace storekeeper
