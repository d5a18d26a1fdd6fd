// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <string>
#include <vector>

#include "maintenance/trim/mount_pass.h"
#include "testing/fake_ext4.h"
#include "testing/trim_seams.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Discard = FakeExt4::Discard;

constexpr uint64_t kMib = 1 << 20;
constexpr uint64_t kGroup = FakeExt4::kGroup;
constexpr uint64_t kGroups = 2;
constexpr microseconds kLullStep(500);

class MountPassGroupTest : public TrimSeamsTest {
  protected:
    MountPassGroupTest() {
        syscalls_.Add("/data", FakeSyscalls::Mount{.device = makedev(179, 2),
                                                   .size_bytes = kGroups * kGroup});
        tree_.Write("/sys/dev/block/179:2/size", std::to_string(kGroups * kGroup / 512) + "\n");
        tree_.Write("/sys/dev/block/179:2/queue/discard_granularity", "524288\n");
        // Of metadata: no FITRIM reaches what is below the granularity.
        fs_.FreeExtent(kGroup - 64 * 1024, 64 * 1024);
    }

    MountReceipt Run(bool hurry = false) {
        const Selection selection{.path = "/data",
                                  .outcome = TrimOutcome::kTrimmed,
                                  .mount = {.device = makedev(179, 2),
                                            .root = "/",
                                            .mount_point = "/data",
                                            .type = "ext4",
                                            .source = "/dev/mmcblk0p2"},
                                  .members = {.devices = {makedev(179, 2)}}};
        return MountPass(ext4_seams_, selection, {.manual = true, .hurry = hurry},
                         {.discard_budget = milliseconds(5), .seen = seen_}, stop_, StopAsker())
                .Run();
    }

    void FreeThree() {
        fs_.FreeExtent(10 * kMib, 3 * kMib);
        fs_.FreeExtent(20 * kMib, kMib);
        fs_.FreeExtent(30 * kMib, 2 * kMib);
    }

    // 1.5 ms, 2.5 ms and 3.5 ms of FreeThree().
    FakeExt4 fs_{clock_, {.fixed = microseconds(500), .per_mib = milliseconds(1)}};
    std::optional<DiscardSample> seen_ = DiscardSample{.limit_bytes = kMib / 2,
                                                       .discards = 1,
                                                       .bytes = kMib / 2,
                                                       .took = milliseconds(1),
                                                       .extents = 1};
    StopSignal stop_;
    const TrimSeams ext4_seams_{.syscalls = syscalls_,
                                .files = files_,
                                .clock = clock_,
                                .fitrim = fs_,
                                .pauser = pauser_,
                                .queue = queue_,
                                .records = records_,
                                .chips = chips_};
};

TEST_F(MountPassGroupTest, EachExtentHasAFitrimAndAPauseOfItsOwnShortestFirst) {
    FreeThree();
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(6 * kMib, receipt.filesystem_bytes);
    EXPECT_EQ(kGroups, receipt.slices);
    EXPECT_THAT(fs_.discards, ElementsAre(Discard{20 * kMib, kMib}, Discard{30 * kMib, 2 * kMib},
                                          Discard{10 * kMib, 3 * kMib}));
    // Others are taken to be there where nothing reports them.
    EXPECT_THAT(pauser_.pauses,
                ElementsAre(microseconds(4500), microseconds(7500), microseconds(10500)));
    EXPECT_EQ(microseconds(7500), receipt.trimming);
}

TEST_F(MountPassGroupTest, ATrimmedGroupIsNotDiscardedAgainByAnybody) {
    FreeThree();
    Run();
    const size_t calls = fs_.fitrims.size();
    fs_.discards.clear();
    const MountReceipt again = Run();
    EXPECT_EQ(0U, again.filesystem_bytes);
    // Two extents are asked for, and the two groups.
    EXPECT_EQ(calls + 4, fs_.fitrims.size());
    // fstrim(8).
    StopSignal stop;
    auto session = fs_.Begin(android::base::unique_fd(), "/data").value();
    EXPECT_EQ(0U, session->Trim({.length = kGroups * kGroup}, stop, [] { return false; })->bytes);
    EXPECT_THAT(fs_.discards, IsEmpty());
    // What is freed later is discarded with its group.
    fs_.FreeExtent(40 * kMib, kMib);
    EXPECT_EQ(7 * kMib, Run().filesystem_bytes);
}

TEST_F(MountPassGroupTest, AKernelThatMarksAGroupEarlyGetsWholeGroups) {
    fs_.marks_early = true;
    FreeThree();
    fs_.FreeExtent(kGroup + kMib, kMib);
    fs_.FreeExtent(kGroup + 8 * kMib, kMib);
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    // The first extent twice, and nothing is left out.
    EXPECT_THAT(fs_.discards, SizeIs(6));
    EXPECT_EQ(9 * kMib, receipt.filesystem_bytes);
    EXPECT_EQ(kGroup, fs_.fitrims.back().length);
    EXPECT_EQ("1\n", tree_.Read(FakeInit::kWbtLatency));
    fs_.discards.clear();
    EXPECT_EQ(0U, Run().filesystem_bytes);
    EXPECT_THAT(fs_.discards, IsEmpty());
}

TEST_F(MountPassGroupTest, WhereNothingReportsWhatIsFreeGroupsAreWhole) {
    fs_.map_error = EOPNOTSUPP;
    FreeThree();
    EXPECT_EQ(6 * kMib, Run().filesystem_bytes);
    EXPECT_THAT(fs_.fitrims, SizeIs(kGroups));
    EXPECT_EQ("524288\n", tree_.Read(std::string(FakeInit::kQueue) + "discard_max_bytes"));
}

// One that has too many extents for a map.
TEST_F(MountPassGroupTest, AGroupWithoutAMapIsWholeByItself) {
    fs_.map_error = E2BIG;
    fs_.before_each = [this] { fs_.map_error = 0; };
    FreeThree();
    fs_.FreeExtent(kGroup + kMib, kMib);
    fs_.FreeExtent(kGroup + 8 * kMib, 2 * kMib);
    EXPECT_EQ(9 * kMib, Run().filesystem_bytes);
    EXPECT_EQ(kGroup, fs_.fitrims[0].length);
    EXPECT_EQ(kMib, fs_.fitrims[1].length);
}

TEST_F(MountPassGroupTest, AHurryIsOneFitrimAGroup) {
    FreeThree();
    Run(true);
    EXPECT_THAT(fs_.fitrims, SizeIs(kGroups));
    EXPECT_THAT(pauser_.pauses, IsEmpty());
}

TEST_F(MountPassGroupTest, WhatIsFreeInOneExtentNeedsOneCall) {
    fs_.FreeExtent(kGroup, kGroup);
    EXPECT_EQ(kGroup, Run().filesystem_bytes);
    EXPECT_EQ(kGroup, fs_.fitrims.back().start);
    EXPECT_EQ(kGroup, fs_.fitrims.back().length);
    // It is cut before that.
    EXPECT_NE("", init_.Get("storekeeper.queue.discard_max_bytes"));
    EXPECT_EQ(0U, Run().filesystem_bytes);
}

// Each change of the queue stops it.
TEST_F(MountPassGroupTest, ExtentsWithinTheBudgetLeaveTheQueueAlone) {
    FreeThree();
    const MountReceipt receipt = Run();
    EXPECT_TRUE(receipt.throttled);
    EXPECT_EQ("", init_.Get("storekeeper.queue.discard_max_bytes"));
    // What was the longest discard.
    EXPECT_EQ(3 * kMib, receipt.discard_bytes);
    EXPECT_EQ(microseconds(3500), receipt.discard_time);
    // 64.5 ms.
    fs_.FreeExtent(kGroup / 2, 64 * kMib);
    Run();
    EXPECT_NE("", init_.Get("storekeeper.queue.discard_max_bytes"));
    EXPECT_EQ("1\n", tree_.Read(FakeInit::kWbtLatency));
}

// The kernel needs a while to let fewer discards through.
TEST_F(MountPassGroupTest, TheQueueIsThrottledBeforeTheShortExtentsOfAGroupThatHasALongOne) {
    for (uint64_t i = 0; i < 20; ++i) fs_.FreeExtent(i * 3 * kMib, kMib / 2 + i % 2 * 3 * kMib / 2);
    fs_.FreeExtent(kGroup / 2, 64 * kMib);
    size_t unthrottled = 0;
    fs_.before_each = [&] {
        if (init_.Get("storekeeper.queue.discard_max_bytes").empty()) ++unthrottled;
    };
    Run();
    EXPECT_GT(unthrottled, 0U);
    EXPECT_LT(unthrottled, 14U);
    // Who waited meanwhile comes first.
    EXPECT_THAT(pauser_.pauses, Contains(milliseconds(50)));
}

// A card that is not known: 64 MiB would be cut by a guess.
class PostponedTest : public MountPassGroupTest {
  protected:
    PostponedTest() {
        fs_.FreeExtent(kMib, kMib);
        fs_.FreeExtent(kGroup / 2, 64 * kMib);
        for (uint64_t i = 0; i < 4; ++i) {
            fs_.FreeExtent(kGroup + i * 8 * kMib, kMib / 2);
            fs_.FreeExtent(kGroup + (i * 8 + 4) * kMib, 3 * kMib);
        }
    }

    static constexpr uint64_t kAll = (1 + 64 + 2 + 12) * kMib;
};

TEST_F(PostponedTest, ALongExtentWaitsUntilShorterOnesShowWhatDiscardsTake) {
    std::vector<std::string> sizes;
    fs_.before_each = [&] {
        const std::string size = init_.Get("storekeeper.queue.discard_max_bytes");
        if (sizes.empty() || sizes.back() != size) sizes.push_back(size);
    };
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(kAll, receipt.filesystem_bytes);
    EXPECT_EQ(kGroups, receipt.slices);
    EXPECT_THAT(fs_.discards.back(), (Discard{kGroup / 2, 64 * kMib}));
    // The queue is changed once.
    EXPECT_THAT(sizes, ElementsAre("", "524288"));
    EXPECT_EQ(0U, Run().filesystem_bytes);
}

TEST_F(PostponedTest, AStopMeanwhileLeavesItToTheNextRun) {
    fs_.before_each = [this] {
        if (fs_.discards.size() == 3) stop_.Raise("abort requested");
    };
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
    EXPECT_EQ(0U, receipt.range_length_bytes);
    fs_.before_each = [] {};
    stop_.Reset();
    EXPECT_THAT(*Run().filesystem_bytes, testing::Ge(64 * kMib));
    EXPECT_EQ(0U, Run().filesystem_bytes);
}

TEST_F(PostponedTest, AStopOfItLeavesItToTheNextRun) {
    fs_.before_each = [this] {
        // Nine pieces, and the second group is marked.
        if (fs_.fitrims.size() == 11) stop_.Raise("abort requested");
    };
    EXPECT_EQ(TrimOutcome::kAborted, Run().outcome);
    fs_.before_each = [] {};
    stop_.Reset();
    // The group from its beginning, the other not again.
    EXPECT_EQ(65 * kMib, Run().filesystem_bytes);
}

TEST_F(PostponedTest, AKernelThatMarksAGroupEarlyGetsItWhole) {
    fs_.marks_early = true;
    EXPECT_EQ(TrimOutcome::kTrimmed, Run().outcome);
    // A mark that hides the rest of its group would hide it from the next run, too.
    EXPECT_THAT(fs_.discards, Contains(Discard{kGroup / 2, 64 * kMib}));
    EXPECT_THAT(fs_.discards, Contains(Discard{kGroup + 28 * kMib, 3 * kMib}));
    fs_.discards.clear();
    EXPECT_EQ(0U, Run().filesystem_bytes);
    EXPECT_THAT(fs_.discards, IsEmpty());
}

// No extent is short enough to show what discards take: all are cut by a guess, which the first one
// shows nothing of but where to look further.
class NothingShorterTest : public MountPassGroupTest {
  protected:
    NothingShorterTest() {
        fs_.FreeExtent(kMib, 20 * kMib);
        fs_.FreeExtent(kGroup / 2, 64 * kMib);
        fs_.FreeExtent(kGroup + kMib, 30 * kMib);
    }
};

TEST_F(NothingShorterTest, TheShortestOfAllGroupsIsCutFirst) {
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_THAT(fs_.discards,
                ElementsAre(Discard{kMib, 20 * kMib}, Discard{kGroup + kMib, 30 * kMib},
                            Discard{kGroup / 2, 64 * kMib}));
    EXPECT_EQ(kGroups, receipt.slices);
    EXPECT_EQ(0U, Run().filesystem_bytes);
}

TEST_F(NothingShorterTest, AStopBetweenThemLosesNone) {
    fs_.before_each = [this] {
        if (fs_.discards.size() == 1) stop_.Raise("abort requested");
    };
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
    EXPECT_EQ(0U, receipt.range_length_bytes);
    fs_.before_each = [] {};
    stop_.Reset();
    fs_.discards.clear();
    EXPECT_THAT(*Run().filesystem_bytes, testing::Ge(94 * kMib));
    EXPECT_THAT(fs_.discards, testing::IsSupersetOf({Discard{kGroup + kMib, 30 * kMib},
                                                     Discard{kGroup / 2, 64 * kMib}}));
    EXPECT_EQ(0U, Run().filesystem_bytes);
}

// 16 KiB of memory.
TEST_F(MountPassGroupTest, NotMoreThan512PiecesWait) {
    constexpr uint64_t kMany = 6;
    constexpr uint64_t kEach = 120;
    constexpr uint64_t kLength = 600 << 10;
    syscalls_.Add("/data",
                  FakeSyscalls::Mount{.device = makedev(179, 2), .size_bytes = kMany * kGroup});
    tree_.Write("/sys/dev/block/179:2/size", std::to_string(kMany * kGroup / 512) + "\n");
    for (uint64_t i = 0; i < kMany * kEach; ++i) {
        fs_.FreeExtent(i / kEach * kGroup + (1 + i % kEach) * kMib, kLength);
    }
    seen_->took = milliseconds(200);
    EXPECT_EQ(kMany * kEach * kLength, Run().filesystem_bytes);
    // Of the fifth group.
    EXPECT_EQ(4 * kGroup + kMib, fs_.discards.front().start);
    EXPECT_THAT(fs_.discards, SizeIs(kMany * kEach));
    EXPECT_EQ(0U, Run().filesystem_bytes);
}

TEST_F(MountPassGroupTest, GoesOnWithANoteWhereTheQueueCannotBeThrottled) {
    init_.Stop();
    seen_.reset();
    FreeThree();
    const MountReceipt receipt = Run();
    EXPECT_EQ(6 * kMib, receipt.filesystem_bytes);
    EXPECT_FALSE(receipt.throttled);
    EXPECT_THAT(receipt.note, HasSubstr("init did not apply"));
}

TEST_F(MountPassGroupTest, AStopBetweenTwoExtentsLeavesTheGroupToTheNextRun) {
    FreeThree();
    pauser_.during = [this] { stop_.Raise("abort requested"); };
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("stopped: abort requested"));
    EXPECT_THAT(fs_.discards, SizeIs(1));
    EXPECT_EQ(0U, receipt.slices);
    pauser_.during = [] {};
    stop_.Reset();
    EXPECT_EQ(6 * kMib, Run().filesystem_bytes);
}

// Somebody writes meanwhile.
TEST_F(MountPassGroupTest, AnExtentThatIsGoneIsNoReasonToLeaveOthersOut) {
    FreeThree();
    fs_.FreeExtent(50 * kMib, 4 * kMib);
    pauser_.during = [this] { fs_.Take(30 * kMib); };
    EXPECT_EQ(8 * kMib, Run().filesystem_bytes);
    EXPECT_THAT(fs_.discards, SizeIs(3));
}

// At each look at the disk somebody is a step further in: nothing, a request, its end, nothing.
class MountPassLullTest : public MountPassGroupTest {
  protected:
    MountPassLullTest() {
        Show(0);
        pauser_.during = [this] {
            const bool is_step = pauser_.pauses.back() == kLullStep;
            steps_ = is_step ? steps_ + 1 : 0;
            if (steps_ % kPeriod == 3) ++requests_;
            Show(steps_ % kPeriod == 2 ? 1 : 0);
        };
        FreeThree();
    }
    ~MountPassLullTest() override {
        pauser_.during = [] {};
    }

    void Show(int in_flight) {
        const std::string requests = std::to_string(requests_);
        tree_.Write("/proc/diskstats", "179 0 mmcblk0 " + (writes_ ? "5" : requests) + " 0 0 5 " +
                                               (writes_ ? requests : "5") + " 0 0 5 " +
                                               std::to_string(in_flight) + " 5 0 0 0 0 0\n");
    }

    static constexpr int kPeriod = 6;

    bool writes_ = false;
    int requests_ = 5;
    int steps_ = 0;
};

TEST_F(MountPassLullTest, AnExtentIsDiscardedRightBehindOthersRequests) {
    EXPECT_EQ(6 * kMib, Run().filesystem_bytes);
    EXPECT_THAT(fs_.discards, SizeIs(3));
    // It is quiet for one step behind each request.
    std::vector<std::chrono::nanoseconds> expected;
    for (const microseconds pause : {microseconds(4500), microseconds(7500), microseconds(10500)}) {
        expected.insert(expected.end(), 4, kLullStep);
        expected.push_back(pause);
    }
    ASSERT_GT(pauser_.pauses.size(), expected.size());
    const auto rest = pauser_.pauses.begin() + static_cast<ptrdiff_t>(expected.size());
    EXPECT_EQ(expected, std::vector(pauser_.pauses.begin(), rest));
    // Nobody writes: the sync at the end waits for that in vain.
    EXPECT_THAT(std::vector(rest, pauser_.pauses.end()), Each(kLullStep));
}

TEST_F(MountPassLullTest, WhatOthersWroteIsSyncedRightBehindAWrite) {
    writes_ = true;
    size_t before = 0;
    fs_.before_each = [&] { before = pauser_.pauses.size(); };
    EXPECT_EQ(TrimOutcome::kTrimmed, Run().outcome);
    // The last FITRIM discards nothing and is followed by no pause. The sync is behind the second
    // request, and so is the record of the run behind it.
    EXPECT_EQ(before + 4 + 3 * kPeriod, pauser_.pauses.size());
    // Where nothing was trimmed nothing waits.
    EXPECT_EQ(0U, Run().filesystem_bytes);
    EXPECT_EQ(before, pauser_.pauses.size());
}

TEST_F(MountPassLullTest, TheQueueIsStoppedRightBehindAWrite) {
    writes_ = true;
    // In a group of its own: it is cut.
    fs_.FreeExtent(kGroup + kMib, 90 * kMib);
    const auto queue = [this] {
        return tree_.Read(std::string(FakeInit::kQueue) + "discard_max_bytes") +
               tree_.Read(FakeInit::kWbtLatency);
    };
    std::vector<int> changed_after;
    pauser_.during = [&, before = queue(), others = pauser_.during]() mutable {
        // Of the pauses before this one.
        if (queue() != before) changed_after.push_back(steps_);
        before = queue();
        others();
    };
    EXPECT_EQ(96 * kMib, Run().filesystem_bytes);
    EXPECT_THAT(changed_after, ElementsAre(4, kPeriod + 4));
}

TEST_F(MountPassLullTest, WhereNobodyWritesTheQueueIsStoppedAllTheSame) {
    fs_.FreeExtent(kGroup + kMib, 90 * kMib);
    EXPECT_EQ(96 * kMib, Run().filesystem_bytes);
    // 60 ms before each of two changes, and before and behind the sync, and then behind a read as
    // before each of four extents.
    const auto steps = std::count(pauser_.pauses.begin(), pauser_.pauses.end(), kLullStep);
    EXPECT_GE(steps, 4 * 120);
    EXPECT_LE(steps, 4 * 120 + (4 + 4) * kPeriod);
}

TEST_F(MountPassLullTest, WhoeverIsInAHurryWaitsForNobody) {
    EXPECT_EQ(6 * kMib, Run(true).filesystem_bytes);
    EXPECT_THAT(pauser_.pauses, IsEmpty());
}

TEST_F(MountPassLullTest, ADiscardThatNobodyNoticesWaitsForNobody) {
    fs_.cost = {.fixed = microseconds(50), .per_mib = microseconds(100)};
    seen_->took = microseconds(100);
    fs_.before_each = [this] { EXPECT_THAT(pauser_.pauses, testing::Not(Contains(kLullStep))); };
    EXPECT_EQ(6 * kMib, Run().filesystem_bytes);
}

// Others let a discard wait, which seems to take longer then.
TEST_F(MountPassLullTest, ADiscardThatWaitedForOthersShowsNoCost) {
    fs_.before_each = [this] {
        if (fs_.discards.size() != 1) return;
        clock_.Advance(milliseconds(20));
        ++requests_;
        Show(0);
    };
    const MountReceipt receipt = Run();
    EXPECT_EQ(6 * kMib, receipt.filesystem_bytes);
    EXPECT_EQ(3 * kMib, receipt.discard_bytes);
    EXPECT_EQ(microseconds(3500), receipt.discard_time);
    EXPECT_GT(receipt.trimming, milliseconds(20));
}

TEST_F(MountPassGroupTest, PausesAreShorterWhereNobodyIsThere) {
    tree_.Write("/proc/diskstats", "179 0 mmcblk0 5 0 0 5 5 0 0 5 0 0 0 0 0 0 0 0 0\n");
    for (uint64_t i = 0; i < 100; ++i) fs_.FreeExtent(kGroup + i * kMib, kMib / 2);
    Run();
    // While it is not known whether there is anybody.
    EXPECT_THAT(pauser_.pauses, Contains(kLullStep));
    std::erase(pauser_.pauses, kLullStep);
    ASSERT_THAT(pauser_.pauses, SizeIs(100));
    EXPECT_EQ(milliseconds(3), pauser_.pauses.front());
    EXPECT_EQ(microseconds(1200), pauser_.pauses.back());
}

}  // namespace
}  // namespace storekeeper
