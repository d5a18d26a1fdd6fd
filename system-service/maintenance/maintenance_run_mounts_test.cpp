// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "maintenance/maintenance_run.h"
#include "testing/two_mounts.h"

namespace storekeeper {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RunOfMountsTest : public TwoMountsTest {};

TEST_F(RunOfMountsTest, TrimsAllConfiguredMountsInOrderAndLogsEachStep) {
    TrimReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_TRUE(receipt.complete);
    EXPECT_THAT(syscalls_.trimmed(), ElementsAre("/cache", "/data"));
    EXPECT_THAT(reported_, ElementsAre("/cache", "/data"));
    EXPECT_THAT(log_,
                ElementsAre("Starting fstrim work...", "Invoking FITRIM ioctl on /cache",
                            "Trimmed 512000 bytes on /cache", "Invoking FITRIM ioctl on /data",
                            "Trimmed 4096000 bytes on /data", "Finished fstrim work."));
}

TEST_F(RunOfMountsTest, ADeviceThatVanishesDuringTheTrimIsNoSuccess) {
    tree_.MakeDirectory("/sys/dev/block/179:1");
    tree_.MakeDirectory("/sys/dev/block/179:2");
    during_ = [this] { tree_.Remove("/sys/dev/block/179:2"); };
    const TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: the kernel has removed its block device 179:2"));
    EXPECT_EQ("", records_.Last(RecordKind::kCursors));
    // The next run fails as well.
    EXPECT_EQ(TrimOutcome::kIoError, Run({"/data"}).outcome);
    EXPECT_THAT(syscalls_.trimmed(), ElementsAre("/data"));
}

TEST_F(RunOfMountsTest, AVanishedDeviceIsTheCauseOfAnyErrorOfFitrim) {
    tree_.MakeDirectory("/sys/dev/block/179:1");
    tree_.MakeDirectory("/sys/dev/block/179:2");
    syscalls_.Add("/data",
                  FakeSyscalls::Mount{.device = makedev(179, 2),
                                      .size_bytes = kSize,
                                      .error = EINVAL,
                                      .during = [this] { tree_.Remove("/sys/dev/block/179:2"); }});
    const TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: the kernel has removed its block device 179:2"));
}

TEST_F(RunOfMountsTest, AFileSystemThatFailsDuringTheTrimIsNoSuccess) {
    syscalls_.Add("/data", FakeSyscalls::Mount{.device = makedev(179, 2),
                                               .size_bytes = kSize,
                                               .sync_error = EIO});
    const TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("the file system failed during the trim"));
}

TEST_F(RunOfMountsTest, ATrimThatDidNotReachTheDeviceIsAnIoError) {
    tree_.Write("/sys/dev/block/179:1/queue/iostats", "1\n");
    tree_.Write("/sys/dev/block/179:2/queue/iostats", "1\n");
    const TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_THAT(receipt.reason,
                HasSubstr("reports 3.9 MiB trimmed, of which none reached the device"));
    // A kernel that is set not to count gives no reason for an error.
    tree_.Write("/sys/dev/block/179:2/queue/iostats", "0\n");
    const TrimReceipt uncounted = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, uncounted.outcome);
    EXPECT_EQ(std::nullopt, uncounted.mounts.at(0).block_layer_bytes);
    EXPECT_THAT(uncounted.mounts.at(0).note, HasSubstr("queue/iostats is 0"));
}

// The device mapper of Linux 5.10 to 6.1 behaves in this way.
TEST_F(RunOfMountsTest, CountsThatChangeWithIostatsOffAreReported) {
    tree_.Write("/sys/dev/block/179:2/queue/iostats", "0\n");
    WriteDiskstats(100, 50);
    during_ = [this] {
        WriteDiskstats(1100, 50);
        during_ = [] {};
    };
    const TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(1000U * 512, receipt.mounts.at(0).block_layer_bytes);
    EXPECT_EQ("", receipt.mounts.at(0).note);
    // Nothing was left to discard, so an unchanged counter shows nothing.
    Mount("/data", 2, 0, 0);
    const TrimReceipt again = Run({"/data"});
    EXPECT_EQ(0U, again.mounts.at(0).block_layer_bytes);
    EXPECT_THAT(again.mounts.at(0).note, Not(HasSubstr("iostats")));
}

TEST_F(RunOfMountsTest, TheReceiptReportsBothCountsAndTheTime) {
    WriteDiskstats(100, 50);
    during_ = [this] {
        WriteDiskstats(1100, 50);
        clock_.Advance(milliseconds(1500));
        during_ = [] {};
    };
    TrimReceipt receipt = Run({"/data"});
    const MountReceipt& data = receipt.mounts.at(0);
    EXPECT_EQ(4096000U, data.filesystem_bytes);
    EXPECT_EQ(1000U * 512, data.block_layer_bytes);
    EXPECT_EQ(0U, data.range_start_bytes);
    EXPECT_EQ(kSize, data.range_length_bytes);
    EXPECT_EQ(milliseconds(1500), data.trimming);
    // The sum of 100 ms for each of 4 changes of the queue, the FITRIM calls, and a pause of twice
    // the first.
    EXPECT_EQ(milliseconds(400 + 1500 + 3000), data.duration);
    EXPECT_EQ(milliseconds(4900), receipt.duration);
    // 8 groups, the superblock before them, and the end behind them.
    EXPECT_EQ(1 + 8 + 1U, data.fitrim_calls);
    EXPECT_TRUE(data.throttled);
    EXPECT_EQ("", data.note);
    // A run of named mounts is not complete.
    EXPECT_FALSE(receipt.complete);
}

TEST_F(RunOfMountsTest, WithoutDiscardCountersTheCountIsUnknownAndSaidSo) {
    tree_.Write("/proc/diskstats", "garbage");
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    EXPECT_EQ(std::nullopt, receipt.mounts[0].block_layer_bytes);
    EXPECT_THAT(receipt.mounts[0].note, HasSubstr("/proc/diskstats"));
}

TEST_F(RunOfMountsTest, AnAnswerBeyondTheFileSystemIsNoCount) {
    Mount("/data", 2, UINT64_MAX, 0);
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    EXPECT_EQ(std::nullopt, receipt.mounts[0].filesystem_bytes);
    EXPECT_THAT(receipt.mounts[0].note, HasSubstr("18446744073709551615"));
}

struct ErrorCase {
    int error;
    TrimOutcome outcome;
};

class RunErrorTest : public RunOfMountsTest, public testing::WithParamInterface<ErrorCase> {};

TEST_P(RunErrorTest, FitrimErrorsAreDistinguished) {
    Mount("/data", 2, 0, GetParam().error);
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(OutcomeFactsOf(GetParam().outcome).name, OutcomeFactsOf(receipt.outcome).name);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: FITRIM on /data: "));
    EXPECT_THAT(receipt.reason, testing::Not(HasSubstr("\n")));
    EXPECT_FALSE(receipt.complete);
    EXPECT_EQ(std::nullopt, receipt.mounts[0].filesystem_bytes);
    EXPECT_THAT(log_, testing::Contains(HasSubstr("Not trimmed: /data: ")));
}

TEST_P(RunErrorTest, OpenErrorsAreDistinguished) {
    syscalls_.FailOpen("/data", GetParam().error);
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(OutcomeFactsOf(GetParam().outcome).name, OutcomeFactsOf(receipt.outcome).name);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: cannot open /data: "));
    EXPECT_THAT(syscalls_.trimmed(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, RunErrorTest,
                         testing::Values(ErrorCase{EOPNOTSUPP, TrimOutcome::kNoDiscard},
                                         ErrorCase{ENOTTY, TrimOutcome::kNoDiscard},
                                         ErrorCase{EROFS, TrimOutcome::kReadOnly},
                                         ErrorCase{EPERM, TrimOutcome::kNotPermitted},
                                         ErrorCase{EACCES, TrimOutcome::kNotPermitted},
                                         ErrorCase{EIO, TrimOutcome::kIoError},
                                         ErrorCase{EREMOTEIO, TrimOutcome::kIoError},
                                         ErrorCase{ENOENT, TrimOutcome::kNotMounted},
                                         ErrorCase{EINTR, TrimOutcome::kAborted},
                                         ErrorCase{ENOMEM, TrimOutcome::kFailed}));

TEST_F(RunOfMountsTest, AFailureOnOneMountLeavesTheOthers) {
    Mount("/cache", 1, 0, EIO);
    TrimReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_FALSE(receipt.complete);
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.mounts[1].outcome);
}

TEST_F(RunOfMountsTest, ARunOfAllPassesOverWhatIsNotMounted) {
    tree_.Write("/proc/self/mountinfo", "40 21 179:2 / /data rw - ext4 /dev/x rw\n");
    TrimReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_TRUE(receipt.complete);
    EXPECT_EQ(TrimOutcome::kNotMounted, receipt.mounts[0].outcome);
    // A mount that is named must be mounted.
    EXPECT_EQ(TrimOutcome::kNotMounted, Run({"/data", "/cache"}).outcome);
}

TEST_F(RunOfMountsTest, ARunThatTrimsNothingSaysWhy) {
    tree_.Write("/proc/self/mountinfo", "40 21 0:2 / /other rw - tmpfs none rw\n");
    TrimReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kNotMounted, receipt.outcome);
    EXPECT_FALSE(receipt.complete);
    EXPECT_THAT(receipt.reason, HasSubstr("/cache: not mounted"));
}

TEST_F(RunOfMountsTest, WithoutConfiguredMountsThereIsNothingToDo) {
    TrimReceipt receipt = MaintenanceRun(seams_, {}, {}).Run({}, stop_, progress_);
    EXPECT_EQ(TrimOutcome::kNotGiven, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("ro.storekeeper.trim.mounts is empty"));
}

TEST_F(RunOfMountsTest, AStopEndsTheStepUnderWayAndTheMountsBehindIt) {
    during_ = [this] { stop_.Raise("somebody touched the screen"); };
    TrimReceipt receipt = Run();
    EXPECT_THAT(syscalls_.trimmed(), ElementsAre("/cache"));
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
    EXPECT_FALSE(receipt.complete);
    EXPECT_EQ(TrimOutcome::kAborted, receipt.mounts[0].outcome);
    EXPECT_THAT(receipt.mounts[0].reason, HasSubstr("somebody touched the screen"));
    EXPECT_EQ(TrimOutcome::kAborted, receipt.mounts[1].outcome);
    EXPECT_THAT(receipt.mounts[1].reason, HasSubstr("somebody touched the screen"));
}

TEST_F(RunOfMountsTest, AStopLeavesTheReasonOfAMountThatIsRefusedAnyway) {
    during_ = [this] { stop_.Raise("somebody touched the screen"); };
    const TrimReceipt receipt = Run({"/cache", "/system"});
    EXPECT_EQ(TrimOutcome::kAborted, receipt.mounts[0].outcome);
    EXPECT_EQ(TrimOutcome::kNotGiven, receipt.mounts[1].outcome);
}

TEST_F(RunOfMountsTest, DoesNotTrimWhatAnotherMountCovers) {
    Mount("/data", 9, 4096000, 0);  // /data shows another file system than mountinfo
    EXPECT_EQ(TrimOutcome::kHidden, Run({"/data"}).outcome);
    EXPECT_THAT(syscalls_.trimmed(), IsEmpty());
}

TEST_F(RunOfMountsTest, AnUnreadableMountTableIsAFailureNotACrash) {
    for (const std::string& content :
         {std::string(), std::string("garbage"), std::string(5 << 20, 'x')}) {
        tree_.Write("/proc/self/mountinfo", content);
        TrimReceipt receipt = Run();
        EXPECT_EQ(TrimOutcome::kFailed, receipt.outcome);
        EXPECT_THAT(receipt.reason, HasSubstr("/proc/self/mountinfo"));
    }
}

// The block groups on which FITRIM was called, in order.
std::vector<uint64_t> Groups(const std::vector<FakeSyscalls::Fitrim>& calls) {
    std::vector<uint64_t> groups;
    for (const FakeSyscalls::Fitrim& call : calls) {
        if (call.length == 128U << 20) groups.push_back(call.start >> 27);
    }
    return groups;
}

TEST_F(RunOfMountsTest, Ext4IsTrimmedInWholeBlockGroups) {
    Run({"/data"});
    EXPECT_THAT(Groups(syscalls_.fitrims()), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST_F(RunOfMountsTest, TheNextRunOfThePolicyGoesOnWhereThisOneWasStopped) {
    during_ = [this] {
        if (Groups(syscalls_.fitrims()).size() == 4) stop_.Raise("the charger was unplugged");
    };
    TrimReceipt stopped = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kAborted, stopped.outcome);
    EXPECT_THAT(stopped.reason, HasSubstr("the charger was unplugged"));
    EXPECT_THAT(stopped.reason, HasSubstr("continues at 384 MiB of 1 GiB"));
    EXPECT_EQ(3U << 27, stopped.mounts[0].range_length_bytes);
    stop_.Reset();
    during_ = [] {};
    // The daemon restarts and reads the record.
    ASSERT_TRUE(records_.Write().ok());
    RecordFile records(RealCalls(), tree_.PathOf("/state.log"));
    const TrimSeams seams = {.syscalls = syscalls_,
                             .files = files_,
                             .clock = clock_,
                             .fitrim = fitrim_,
                             .pauser = pauser_,
                             .queue = queue_,
                             .records = records,
                             .chips = chips_};
    MaintenanceRun run(seams, {.configured = {"/data"}}, {});
    TrimReceipt resumed = run.Run({}, stop_, progress_);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(3U << 27, resumed.mounts[0].range_start_bytes);
    EXPECT_EQ(5U << 27, resumed.mounts[0].range_length_bytes);
    EXPECT_THAT(Groups(syscalls_.fitrims()), ElementsAre(0, 1, 2, 3, 3, 4, 5, 6, 7));
    // The next run begins at the start.
    EXPECT_EQ(0U, run.Run({}, stop_, progress_).mounts[0].range_start_bytes);
}

TEST_F(RunOfMountsTest, ATrimByCommandBeginsAtTheBeginning) {
    during_ = [this] {
        if (Groups(syscalls_.fitrims()).size() == 6) stop_.Raise("abort requested");
    };
    Run({"/data"});
    stop_.Reset();
    during_ = [] {};
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    EXPECT_EQ(kSize, receipt.mounts[0].range_length_bytes);
    EXPECT_THAT(Groups(syscalls_.fitrims()), ElementsAre(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6, 7));
}

}  // namespace
}  // namespace storekeeper
