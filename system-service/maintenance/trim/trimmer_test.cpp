// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/trimmer.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <algorithm>

#include "testing/free_space.h"
#include "testing/trim_seams.h"

namespace storekeeper {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint64_t kSize = 1 << 30;

class TrimmerTest : public TrimSeamsTest {
  protected:
    TrimmerTest() {
        tree_.Write("/proc/self/mountinfo",
                    "40 21 179:2 / /data rw - ext4 /dev/block/mmcblk0p2 rw\n"
                    "41 21 179:1 / /cache rw - ext4 /dev/block/mmcblk0p1 rw\n");
        WriteDiskstats(0, 0);
        Mount("/data", 2, 4096000, 0);
        Mount("/cache", 1, 512000, 0);
    }

    void WriteDiskstats(uint64_t data_sectors, uint64_t cache_sectors) {
        std::string zeros = " 0 0 0 0 0 0 0 0 0 0 0 5 0 ";
        tree_.Write("/proc/diskstats", "179 1 mmcblk0p1" + zeros + std::to_string(cache_sectors) +
                                               " 1 0 0\n" + "179 2 mmcblk0p2" + zeros +
                                               std::to_string(data_sectors) + " 1 0 0\n");
    }

    void Mount(const std::string& path, unsigned partition, uint64_t answer, int error) {
        syscalls_.Add(path,
                      FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, partition)),
                                          .size_bytes = kSize,
                                          .answer_bytes = answer,
                                          .error = error,
                                          .during = [this] { during_(); }});
    }

    TrimReceipt Run(const std::vector<std::string>& mounts = {}) {
        std::vector<std::string> lines;
        auto previous = android::base::SetLogger(
                [&](android::base::LogId, android::base::LogSeverity, const char*, const char*,
                    unsigned int, const char* line) { lines.emplace_back(line); });
        TrimReceipt receipt = trimmer_.Run({.manual = true, .mounts = mounts}, stop_, hooks_);
        android::base::SetLogger(std::move(previous));
        log_ = std::move(lines);
        return receipt;
    }

    std::function<void()> during_ = [] {};
    StopSignal stop_;
    std::function<std::optional<std::string>()> why_stop_ = [] { return std::nullopt; };
    std::vector<std::string> told_;
    const Trimmer::Hooks hooks_{.progress = [this](const std::string& m) { told_.push_back(m); },
                                .why_stop = [this](const TrimRequest&) { return why_stop_(); }};
    std::vector<std::string> log_;
    Trimmer trimmer_{seams_, {.given = {"/cache", "/data"}}};
};

TEST_F(TrimmerTest, TrimsAllGivenMountsInOrderAndLogsEachStep) {
    TrimReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_TRUE(receipt.complete);
    EXPECT_THAT(syscalls_.trimmed(), ElementsAre("/cache", "/data"));
    EXPECT_THAT(told_, ElementsAre("/cache", "/data"));
    EXPECT_THAT(log_,
                ElementsAre("Starting fstrim work...", "Invoking FITRIM ioctl on /cache",
                            "Trimmed 512000 bytes on /cache", "Invoking FITRIM ioctl on /data",
                            "Trimmed 4096000 bytes on /data", "Finished fstrim work."));
}

TEST_F(TrimmerTest, ADeviceThatVanishesDuringTheTrimIsNoSuccess) {
    tree_.MakeDirectory("/sys/dev/block/179:1");
    tree_.MakeDirectory("/sys/dev/block/179:2");
    during_ = [this] { tree_.Remove("/sys/dev/block/179:2"); };
    const TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: the kernel has removed its block device 179:2"));
    EXPECT_EQ(0U,
              FindCursor(records_, {.fsid = makedev(179, 2), .size_bytes = kSize}, clock_.Wall()));
    // Nor is it the next time.
    EXPECT_EQ(TrimOutcome::kIoError, Run({"/data"}).outcome);
    EXPECT_THAT(syscalls_.trimmed(), ElementsAre("/data"));
}

TEST_F(TrimmerTest, AFileSystemThatFailsDuringTheTrimIsNoSuccess) {
    syscalls_.Add("/data", FakeSyscalls::Mount{.device = makedev(179, 2),
                                               .size_bytes = kSize,
                                               .sync_error = EIO});
    const TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("the file system failed during the trim"));
}

TEST_F(TrimmerTest, WhatDidNotReachTheDeviceIsNoSuccess) {
    tree_.Write("/sys/dev/block/179:1/queue/iostats", "1\n");
    tree_.Write("/sys/dev/block/179:2/queue/iostats", "1\n");
    const TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_THAT(receipt.reason,
                HasSubstr("reports 4096000 bytes trimmed, of which none reached the device"));
    // Not where the kernel is set not to count.
    tree_.Write("/sys/dev/block/179:2/queue/iostats", "0\n");
    const TrimReceipt uncounted = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, uncounted.outcome);
    EXPECT_EQ(std::nullopt, uncounted.mounts.at(0).block_layer_bytes);
    EXPECT_THAT(uncounted.mounts.at(0).note, HasSubstr("queue/iostats is 0"));
}

TEST_F(TrimmerTest, TheReceiptReportsBothCountsAndTheTime) {
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
    // One slice took time, and the pause after it three times as much.
    EXPECT_EQ(milliseconds(6000), data.duration);
    EXPECT_EQ(milliseconds(6000), receipt.duration);
    EXPECT_EQ(8U, data.slices);
    EXPECT_TRUE(data.throttled);
    EXPECT_EQ("", data.note);
    // A run of named mounts is not the whole work.
    EXPECT_FALSE(receipt.complete);
}

TEST_F(TrimmerTest, WithoutDiscardCountersTheCountIsUnknownAndSaidSo) {
    tree_.Write("/proc/diskstats", "garbage");
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    EXPECT_EQ(std::nullopt, receipt.mounts[0].block_layer_bytes);
    EXPECT_THAT(receipt.mounts[0].note, HasSubstr("/proc/diskstats"));
}

TEST_F(TrimmerTest, AnAnswerBeyondTheFileSystemIsNoCount) {
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

class TrimmerErrorTest : public TrimmerTest, public testing::WithParamInterface<ErrorCase> {};

TEST_P(TrimmerErrorTest, FitrimErrorsAreDistinguished) {
    Mount("/data", 2, 0, GetParam().error);
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(FactsOf(GetParam().outcome).name, FactsOf(receipt.outcome).name);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: FITRIM on /data: "));
    EXPECT_THAT(receipt.reason, testing::Not(HasSubstr("\n")));
    EXPECT_FALSE(receipt.complete);
    EXPECT_EQ(std::nullopt, receipt.mounts[0].filesystem_bytes);
    EXPECT_THAT(log_, testing::Contains(HasSubstr("Not trimmed: /data: ")));
}

TEST_P(TrimmerErrorTest, OpenErrorsAreDistinguished) {
    syscalls_.FailOpen("/data", GetParam().error);
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(FactsOf(GetParam().outcome).name, FactsOf(receipt.outcome).name);
    EXPECT_THAT(receipt.reason, HasSubstr("/data: cannot open /data: "));
    EXPECT_THAT(syscalls_.trimmed(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(All, TrimmerErrorTest,
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

TEST_F(TrimmerTest, AFailureOnOneMountLeavesTheOthers) {
    Mount("/cache", 1, 0, EIO);
    TrimReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome);
    EXPECT_FALSE(receipt.complete);
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.mounts[1].outcome);
}

TEST_F(TrimmerTest, ARunOfAllPassesOverWhatIsNotMounted) {
    tree_.Write("/proc/self/mountinfo", "40 21 179:2 / /data rw - ext4 /dev/x rw\n");
    TrimReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_TRUE(receipt.complete);
    EXPECT_EQ(TrimOutcome::kNotMounted, receipt.mounts[0].outcome);
    // By name it is an error.
    EXPECT_EQ(TrimOutcome::kNotMounted, Run({"/data", "/cache"}).outcome);
}

TEST_F(TrimmerTest, ARunThatTrimsNothingSaysWhy) {
    tree_.Write("/proc/self/mountinfo", "40 21 0:2 / /other rw - tmpfs none rw\n");
    TrimReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kNotMounted, receipt.outcome);
    EXPECT_FALSE(receipt.complete);
    EXPECT_THAT(receipt.reason, HasSubstr("/cache: not mounted"));
}

TEST_F(TrimmerTest, WithoutGivenMountsThereIsNothingToDo) {
    TrimReceipt receipt = Trimmer(seams_, {}).Run({}, stop_, hooks_);
    EXPECT_EQ(TrimOutcome::kNotGiven, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("ro.storekeeper.trim.mounts is empty"));
}

TEST_F(TrimmerTest, AStopEndsTheSliceUnderWayAndTheMountsBehindIt) {
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

TEST_F(TrimmerTest, DoesNotTrimWhatAnotherMountCovers) {
    Mount("/data", 9, 4096000, 0);  // what one sees at /data is not what mountinfo says
    EXPECT_EQ(TrimOutcome::kHidden, Run({"/data"}).outcome);
    EXPECT_THAT(syscalls_.trimmed(), IsEmpty());
}

TEST_F(TrimmerTest, AnUnreadableMountTableIsAFailureNotACrash) {
    for (const std::string& content :
         {std::string(), std::string("garbage"), std::string(5 << 20, 'x')}) {
        tree_.Write("/proc/self/mountinfo", content);
        TrimReceipt receipt = Run();
        EXPECT_EQ(TrimOutcome::kFailed, receipt.outcome);
        EXPECT_THAT(receipt.reason, HasSubstr("/proc/self/mountinfo"));
    }
}

std::vector<uint64_t> Starts(const std::vector<FakeSyscalls::Fitrim>& calls) {
    std::vector<uint64_t> starts;
    starts.reserve(calls.size());
    for (const FakeSyscalls::Fitrim& call : calls) starts.push_back(call.start >> 27);
    return starts;
}

TEST_F(TrimmerTest, Ext4IsTrimmedInWholeBlockGroups) {
    Run({"/data"});
    // 1 GiB of groups of 128 MiB.
    EXPECT_THAT(Starts(syscalls_.fitrims()), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    for (const FakeSyscalls::Fitrim& call : syscalls_.fitrims()) EXPECT_EQ(128U << 20, call.length);
}

TEST_F(TrimmerTest, PausesThreeTimesAsLongAsTheSlice) {
    during_ = [this] { clock_.Advance(milliseconds(100)); };
    Run({"/data"});
    EXPECT_EQ(8, std::count(pauser_.pauses.begin(), pauser_.pauses.end(), milliseconds(300)));
    pauser_.pauses.clear();
    trimmer_.Run({.manual = true, .mounts = {"/data"}, .hurry = true}, stop_, hooks_);
    EXPECT_THAT(pauser_.pauses, IsEmpty());
}

// A card whose discards take 0.5 ms and 0.5 ms for each MiB.
class MeasuredTrimTest : public TrimmerTest {
  protected:
    MeasuredTrimTest() {
        tree_.Write("/sys/dev/block/179:0/device/type", "MMC\n");
        tree_.Write("/sys/dev/block/179:0/device/cid", "1501004d4147324741ab12345678d3c7\n");
        Report();
        during_ = [this] {
            uint64_t limit = 0;
            ASSERT_TRUE(
                    android::base::ParseUint(android::base::Trim(tree_.Read(kMaxBytes)), &limit));
            sizes_.push_back(limit >> 10);
            const DiscardSample slice = free_.Slice(limit);
            number_ += slice.discards;
            sectors_ += slice.bytes / kSectorBytes;
            clock_.Advance(slice.took);
            reads_ += 10;
            Report();
        };
    }

    void Report() {
        tree_.Write("/proc/diskstats", "179 0 mmcblk0 " + std::to_string(reads_) +
                                               " 0 0 0 0 0 0 0 0 0 0 " + std::to_string(number_) +
                                               " 0 " + std::to_string(sectors_) + " 0 0 0\n");
    }

    TrimReceipt RunHurry(bool hurry) {
        sizes_.clear();
        return Trimmer(seams_, rules_)
                .Run({.manual = true, .mounts = {"/data"}, .hurry = hurry}, stop_, hooks_);
    }

    const std::string kMaxBytes = std::string(FakeInit::kQueue) + "discard_max_bytes";
    TrimRules rules_{.given = {"/data"}};
    const FreeSpace free_{.cost = {.fixed = std::chrono::microseconds(500),
                                   .per_mib = std::chrono::microseconds(500)}};
    uint64_t reads_ = 0;
    uint64_t number_ = 0;
    uint64_t sectors_ = 0;
    std::vector<uint64_t> sizes_;  // KiB, by slice
};

TEST_F(MeasuredTrimTest, TheSizeFollowsFromWhatDiscardsTake) {
    const TrimReceipt receipt = RunHurry(false);
    EXPECT_THAT(sizes_, ElementsAre(512, 2048, 1024, 1024, 1024, 1024, 1024, 1024));
    const MountReceipt& mount = receipt.mounts.at(0);
    EXPECT_EQ(1U << 20, mount.discard_bytes);
    ASSERT_TRUE(mount.discard_time.has_value());
    EXPECT_NEAR(1000, static_cast<double>(mount.discard_time->count()) / 1000, 10);
    const auto fstrim = 8 * free_.Slice(104333312).took;
    EXPECT_GT(mount.duration, 4 * fstrim);
    EXPECT_LT(mount.duration, 6 * fstrim);
    EXPECT_EQ("104333312\n", tree_.Read(kMaxBytes));
    // The next run knows the card.
    RunHurry(false);
    EXPECT_THAT(sizes_, testing::Each(1024));
}

TEST_F(MeasuredTrimTest, AHurryHasNoPausesAndLargerDiscards) {
    const TrimReceipt receipt = RunHurry(true);
    EXPECT_THAT(sizes_, ElementsAre(512, 2048, 7680, 7680, 7680, 7680, 7680, 7680));
    EXPECT_EQ(receipt.mounts.at(0).trimming, receipt.mounts.at(0).duration);
}

TEST_F(MeasuredTrimTest, SaysWhenADiscardBreaksTheBudget) {
    rules_.discard_budget = std::chrono::microseconds(900);
    rules_.hurried_discard_budget = milliseconds(1);
    EXPECT_THAT(RunHurry(true).mounts.at(0).note, HasSubstr("more than the 1 ms allowed"));
}

TEST_F(MeasuredTrimTest, WhatIsMeasuredIsRememberedOfAChipThatIsKnown) {
    RunHurry(false);
    EXPECT_NE("", records_.Last(RecordKind::kDiscards));
    records_.Put(RecordKind::kDiscards, "");
    tree_.Remove("/sys/dev/block/179:0/device/cid");
    RunHurry(false);
    EXPECT_EQ("", records_.Last(RecordKind::kDiscards));
}

TEST_F(MeasuredTrimTest, GoesOnWithANoteWhereTheSizeCannotBeChanged) {
    const auto work = during_;
    during_ = [this, work] {
        work();
        init_.Stop();
    };
    const TrimReceipt receipt = RunHurry(false);
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    EXPECT_FALSE(receipt.mounts.at(0).throttled);
    EXPECT_EQ(std::nullopt, receipt.mounts.at(0).discard_bytes);
    EXPECT_THAT(receipt.mounts.at(0).note,
                HasSubstr("the disk queue is no longer throttled: init"));
}

TEST_F(TrimmerTest, PausesAgainWhileOthersKeepTheDiskBusy) {
    int busy_ms = 0;
    const auto report = [&] {
        tree_.Write("/proc/diskstats", "179 0 mmcblk0 0 0 0 0 0 0 0 0 0 " +
                                               std::to_string(busy_ms) + " 0 0 0 0 0 0 0\n");
    };
    report();
    during_ = [this] {
        clock_.Advance(milliseconds(100));
        during_ = [] {};
    };
    pauser_.during = [&] {
        busy_ms += 200;
        report();
    };
    Run({"/data"});
    EXPECT_THAT(pauser_.pauses,
                testing::AllOf(testing::SizeIs(4), testing::Each(milliseconds(120))));
}

TEST_F(TrimmerTest, TheReceiptReportsTheWorstThatOthersHadToWait) {
    const auto report = [&](int reads, int reading_ms) {
        tree_.Write("/proc/diskstats", "179 0 mmcblk0 " + std::to_string(reads) + " 0 0 " +
                                               std::to_string(reading_ms) +
                                               " 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    };
    report(100, 20);
    int reads = 100;
    int ms = 20;
    during_ = [&] {
        reads += 10;
        ms += reads == 130 ? 90 : 20;
        report(reads, ms);
    };
    EXPECT_EQ(milliseconds(9), Run({"/data"}).mounts[0].worst_foreground);
}

TEST_F(TrimmerTest, TheQueueIsThrottledDuringTheRunAndRestoredAfterwards) {
    std::string during;
    during_ = [&] {
        during = tree_.Read(std::string(FakeInit::kQueue) + "discard_max_bytes") +
                 tree_.Read(FakeInit::kWbtLatency);
    };
    Run();
    EXPECT_EQ("524288\n1\n", during);
    EXPECT_EQ("104333312\n", tree_.Read(std::string(FakeInit::kQueue) + "discard_max_bytes"));
    EXPECT_EQ("2000\n", tree_.Read(FakeInit::kWbtLatency));
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.wbt_lat_usec"));
}

TEST_F(TrimmerTest, GoesOnWithANoteWhereTheQueueCannotBeThrottled) {
    init_.Stop();
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    EXPECT_FALSE(receipt.mounts[0].throttled);
    EXPECT_THAT(receipt.mounts[0].note, HasSubstr("init did not apply"));
}

TEST_F(TrimmerTest, ANoteAboutTheQueueIsSetApartFromTheOthers) {
    Mount("/data", 2, 0, 0);
    during_ = [this] { init_.Stop(); };
    const std::string note = Run({"/data"}).mounts[0].note;
    EXPECT_THAT(note, HasSubstr("already discarded; the queue is not restored"));
}

TEST_F(TrimmerTest, TheNextWindowGoesOnWhereAGateStoppedTheLast) {
    why_stop_ = [this]() -> std::optional<std::string> {
        if (syscalls_.fitrims().size() == 3) return "the charger was unplugged";
        return std::nullopt;
    };
    TrimReceipt stopped = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kAborted, stopped.outcome);
    EXPECT_THAT(stopped.reason, HasSubstr("the charger was unplugged"));
    EXPECT_THAT(stopped.reason, HasSubstr("continues at 402653184 of 1073741824 bytes"));
    EXPECT_EQ(3U << 27, stopped.mounts[0].range_length_bytes);
    why_stop_ = [] { return std::nullopt; };
    // The policy's next run, after a restart of the daemon.
    ASSERT_TRUE(records_.Write().ok());
    RecordFile records(RealCalls(), tree_.PathOf("/state.log"));
    TrimSeams seams = {.syscalls = syscalls_,
                       .files = files_,
                       .clock = clock_,
                       .fitrim = fitrim_,
                       .pauser = pauser_,
                       .queue = queue_,
                       .records = records,
                       .gc = gc_,
                       .chips = chips_};
    TrimReceipt resumed = Trimmer(seams, {.given = {"/data"}}).Run({}, stop_, hooks_);
    EXPECT_TRUE(resumed.complete);
    EXPECT_EQ(3U << 27, resumed.mounts[0].range_start_bytes);
    EXPECT_EQ(5U << 27, resumed.mounts[0].range_length_bytes);
    EXPECT_THAT(Starts(syscalls_.fitrims()), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    // And the one after that begins anew.
    Trimmer(seams, {.given = {"/data"}}).Run({}, stop_, hooks_);
    EXPECT_EQ(16U, syscalls_.fitrims().size());
}

TEST_F(TrimmerTest, ATrimByCommandDoesTheFirstPartToo) {
    during_ = [this] {
        if (syscalls_.fitrims().size() == 6) stop_.Raise("abort requested");
    };
    Run({"/data"});
    stop_.Reset();
    during_ = [] {};
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    EXPECT_EQ(kSize, receipt.mounts[0].range_length_bytes);
    // The slice that was killed is done again, then the rest, then the beginning.
    EXPECT_THAT(Starts(syscalls_.fitrims()), ElementsAre(0, 1, 2, 3, 4, 5, 5, 6, 7, 0, 1, 2, 3, 4));
}

TEST_F(TrimmerTest, F2fsGetsRangesWithoutDiscardAndOneCallWithIt) {
    tree_.Write("/proc/self/mountinfo", "40 21 179:2 / /data rw - f2fs /dev/x rw,nodiscard\n");
    Run({"/data"});
    EXPECT_EQ(16U, syscalls_.fitrims().size());
    tree_.Write("/proc/self/mountinfo", "40 21 179:2 / /data rw - f2fs /dev/x rw,discard\n");
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(17U, syscalls_.fitrims().size());
    EXPECT_EQ(UINT64_MAX, syscalls_.fitrims().back().length);
    EXPECT_THAT(receipt.mounts[0].note, HasSubstr("queues the discards"));
}

}  // namespace
}  // namespace storekeeper
