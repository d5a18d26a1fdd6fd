// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// What others notice of a run: the size of its discards, its pauses, the queue.

#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maintenance/trim/trimmer.h"
#include "testing/fake_init.h"
#include "testing/free_space.h"
#include "testing/two_mounts.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TrimmerPaceTest : public TwoMountsTest {};

TEST_F(TrimmerPaceTest, PausesThreeTimesAsLongAsTheSlice) {
    during_ = [this] { clock_.Advance(milliseconds(100)); };
    Run({"/data"});
    EXPECT_EQ(8, std::count(pauser_.pauses.begin(), pauser_.pauses.end(), milliseconds(300)));
    pauser_.pauses.clear();
    trimmer_.Run({.manual = true, .mounts = {"/data"}, .hurry = true}, stop_, hooks_);
    EXPECT_THAT(pauser_.pauses, IsEmpty());
}

TEST_F(TrimmerPaceTest, PausesAgainWhileOthersKeepTheDiskBusy) {
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
    // Before the queue is stopped.
    EXPECT_THAT(pauser_.pauses, testing::Contains(microseconds(500)));
    std::erase(pauser_.pauses, microseconds(500));
    EXPECT_THAT(pauser_.pauses,
                testing::AllOf(testing::SizeIs(4), testing::Each(milliseconds(120))));
}

TEST_F(TrimmerPaceTest, TheReceiptReportsTheWorstThatOthersHadToWait) {
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

// The disk's queue during and after a run.
class TrimmerQueueTest : public TwoMountsTest {
  protected:
    TrimmerQueueTest() { Report(); }

    std::string Queue() {
        return tree_.Read(std::string(FakeInit::kQueue) + "discard_max_bytes") +
               tree_.Read(FakeInit::kWbtLatency);
    }
    void Report() {
        tree_.Write("/proc/diskstats",
                    "179 0 mmcblk0 " + std::to_string(reads_) + " 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
    }
    // After a run: others read in so many of the pauses.
    std::vector<std::chrono::nanoseconds> GiveBack(int busy) {
        pauser_.pauses.clear();
        pauser_.during = [this, busy]() mutable {
            if (busy-- <= 0) return;
            ++reads_;
            Report();
        };
        trimmer_.GiveQueueBack(next_);
        pauser_.during = [] {};
        return pauser_.pauses;
    }

    static constexpr char kThrottled[] = "524288\n1\n";
    static constexpr char kAsItWas[] = "104333312\n2000\n";

    StopSignal next_;
    uint64_t reads_ = 0;
};

TEST_F(TrimmerQueueTest, IsThrottledUntilNobodyUsesTheDisk) {
    std::string during;
    during_ = [&] { during = Queue(); };
    Run();
    EXPECT_EQ(kThrottled, during);
    EXPECT_EQ(kThrottled, Queue());
    EXPECT_THAT(GiveBack(2), ElementsAre(seconds(1), seconds(1), seconds(1)));
    EXPECT_EQ(kAsItWas, Queue());
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.wbt_lat_usec"));
    // Nothing is left to do.
    EXPECT_THAT(GiveBack(0), IsEmpty());
}

TEST_F(TrimmerQueueTest, IsNotThrottledForLong) {
    Run();
    EXPECT_THAT(GiveBack(1000), testing::SizeIs(10));
    EXPECT_EQ(kAsItWas, Queue());
}

TEST_F(TrimmerQueueTest, IsGivenBackAtOnceWhereNothingSaysWhetherTheDiskIsUsed) {
    Run();
    tree_.Write("/proc/diskstats", "garbage\n");
    EXPECT_THAT(GiveBack(0), IsEmpty());
    EXPECT_EQ(kAsItWas, Queue());
}

TEST_F(TrimmerQueueTest, IsLeftToTheNextRun) {
    Run();
    next_.Raise("the next run");
    EXPECT_THAT(GiveBack(0), IsEmpty());
    EXPECT_EQ(kThrottled, Queue());
    next_.Reset();
    EXPECT_THAT(GiveBack(0), ElementsAre(seconds(1)));
    EXPECT_EQ(kAsItWas, Queue());
}

TEST_F(TrimmerQueueTest, IsGivenBackAtOnceByARunThatWasStopped) {
    during_ = [this] {
        EXPECT_EQ(kThrottled, Queue());
        stop_.Raise("somebody touched the screen");
    };
    EXPECT_EQ(TrimOutcome::kAborted, Run().outcome);
    EXPECT_EQ(kAsItWas, Queue());
}

TEST_F(TrimmerQueueTest, SaysWhereItCannotBeGivenBack) {
    Run();
    init_.Stop();
    // The end of the next run, which finds it throttled, tries again.
    for (int run = 0; run < 2; ++run) {
        Logging([this] { GiveBack(0); });
        EXPECT_THAT(log_, testing::Contains(HasSubstr("the queue is not restored")));
        EXPECT_EQ(kThrottled, Queue());
        Run();
    }
}

TEST_F(TrimmerPaceTest, GoesOnWithANoteWhereTheQueueCannotBeThrottled) {
    init_.Stop();
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome);
    EXPECT_FALSE(receipt.mounts[0].throttled);
    EXPECT_THAT(receipt.mounts[0].note, HasSubstr("init did not apply"));
}

TEST_F(TrimmerPaceTest, ANoteAboutTheQueueIsSetApartFromTheOthers) {
    tree_.Write("/sys/dev/block/179:2/queue/discard_granularity", "4194304\n");
    during_ = [this] {
        init_.Stop();
        stop_.Raise("abort requested");
    };
    const MountReceipt mount = Run({"/data"}).mounts[0];
    EXPECT_THAT(mount.note, HasSubstr("are skipped; the queue is not restored"));
}

// A card whose discards take 0.5 ms and 0.5 ms for each MiB.
class MeasuredTrimTest : public TwoMountsTest {
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
    FreeSpace free_{.cost = {.fixed = std::chrono::microseconds(500),
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
    // The next run knows the card.
    RunHurry(false);
    EXPECT_THAT(sizes_, testing::Each(1024));
}

// There is none as long as it discards.
TEST_F(MeasuredTrimTest, NoLullIsAwaitedWhileASliceIsUnderWay) {
    free_.cost = {.fixed = milliseconds(5), .per_mib = milliseconds(5)};
    std::chrono::nanoseconds work{};
    const auto discard = during_;
    during_ = [&] {
        const auto start = clock_.Monotonic();
        discard();
        work += clock_.Monotonic() - start;
    };
    const TrimReceipt receipt = RunHurry(false);
    EXPECT_GT(sizes_.at(1), sizes_.at(0));
    EXPECT_GT(work, 8 * milliseconds(500));
    EXPECT_EQ(work, receipt.mounts.at(0).trimming);
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

}  // namespace
}  // namespace storekeeper
