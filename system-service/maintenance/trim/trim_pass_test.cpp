// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/trim_pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/trim_seams.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t kGroup = 128 << 20;
const std::string kKey = CursorKey(makedev(179, 2), 4 * kGroup);

class TrimPassTest : public TrimSeamsTest {
  protected:
    TrimPassTest() {
        syscalls_.Add("/data", FakeSyscalls::Mount{.device = makedev(179, 2),
                                                   .size_bytes = 4 * kGroup,
                                                   .answer_bytes = 4096,
                                                   .during = [this] { during_(); }});
    }

    MountReceipt Run() {
        const Selection selection{.path = "/data",
                                  .outcome = TrimOutcome::kTrimmed,
                                  .mount = {.device = makedev(179, 2),
                                            .root = "/",
                                            .mount_point = "/data",
                                            .type = "ext4",
                                            .source = "/dev/mmcblk0p2"},
                                  .members = members_};
        const TrimRequest request = {.manual = manual_, .hurry = hurry_};
        return TrimPass(seams_, selection, request, milliseconds(5), &model_, stop_).Run();
    }

    // Runs `what` in the FITRIM of this number, from 0.
    void During(int call, std::function<void()> what) {
        during_ = [this, call, what = std::move(what)] {
            if (calls_++ == call) what();
        };
    }

    Members members_{.devices = {makedev(179, 2)}};
    std::optional<CardModel> model_;
    StopSignal stop_;
    bool manual_ = true;
    bool hurry_ = false;
    int calls_ = 0;
    std::function<void()> during_ = [] {};
};

TEST_F(TrimPassTest, PausesForTwiceTheTimeOfAStep) {
    During(0, [this] { clock_.Advance(milliseconds(10)); });
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(milliseconds(10), receipt.trimming);
    // The pauses: one after each of two changes of the queue, one after the step, and two while the
    // queue is put back.
    EXPECT_THAT(pauser_.pauses, ElementsAre(milliseconds(100), milliseconds(100), milliseconds(20),
                                            milliseconds(100), milliseconds(100)));
    EXPECT_EQ(milliseconds(430), receipt.duration);
}

TEST_F(TrimPassTest, NothingIsWaitedForAfterTheLastStep) {
    tree_.Write("/sys/dev/block/179:2/size", std::to_string(4 * kGroup / 512) + "\n");
    During(3, [this] { clock_.Advance(milliseconds(10)); });
    EXPECT_EQ(milliseconds(10), Run().trimming);
    EXPECT_EQ(4, calls_);
    EXPECT_THAT(pauser_.pauses, Each(milliseconds(100)));
    EXPECT_EQ(4U, pauser_.pauses.size());
}

// /cache is trimmed after /data. Its few discards of one size must not replace the samples of
// /data.
TEST_F(TrimPassTest, TheCostIsThatOfAllMountsOfTheRun) {
    const DiscardCost card{milliseconds(1), milliseconds(2)};
    CardModel& model = model_.emplace(std::nullopt);
    for (const uint64_t mib : {1U, 4U}) {
        model.Record(mib << 20, 1, mib << 20, card.TimeOf(mib << 20));
    }
    EXPECT_EQ(milliseconds(5), Run().discard_time);
}

TEST_F(TrimPassTest, AHurryPausesOnlyAfterChangesOfTheQueue) {
    hurry_ = true;
    During(0, [this] { clock_.Advance(milliseconds(10)); });
    EXPECT_EQ(TrimOutcome::kTrimmed, Run().outcome);
    EXPECT_THAT(pauser_.pauses, Each(milliseconds(100)));
    EXPECT_EQ(4U, pauser_.pauses.size());
}

TEST_F(TrimPassTest, ASuspendIsNoWork) {
    During(0, [this] {
        clock_.Advance(milliseconds(10));
        clock_.Suspend(hours(8));
    });
    const MountReceipt receipt = Run();
    EXPECT_EQ(milliseconds(10), receipt.trimming);
    EXPECT_EQ(milliseconds(20), pauser_.pauses.at(2));
    EXPECT_EQ(hours(8) + milliseconds(430), receipt.duration);
}

TEST_F(TrimPassTest, AStepIsRepeatedUntilNoSuspendCutsIt) {
    during_ = [this] {
        if (calls_++ < 3) clock_.Suspend(hours(1));
    };
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(4 + 3, calls_);
    // The first one asks for the superblock, the last one finds the end.
    EXPECT_EQ(1 + 4 + 3 + 1U, receipt.fitrim_calls);
    // ext4 counts an extent again that it has discarded before the suspend.
    EXPECT_EQ(4096U, receipt.filesystem_bytes);
}

TEST_F(TrimPassTest, AStopDuringAStepKeepsThePlaceBeforeIt) {
    During(1, [this] { stop_.Raise("the battery is low"); });
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
    EXPECT_THAT(receipt.reason, HasSubstr("the battery is low"));
    EXPECT_EQ(2, calls_);
    EXPECT_EQ(kGroup, receipt.range_length_bytes);
    EXPECT_EQ(kGroup, FindCursor(records_, kKey, clock_.Wall()));
}

TEST_F(TrimPassTest, ALongPassStoresItsPlaceNowAndThen) {
    During(0, [this] { clock_.Advance(std::chrono::minutes(11)); });
    uint64_t stored = 0;
    const std::function<void()> first = during_;
    during_ = [&] {
        first();
        RecordFile records(RealCalls(), tree_.PathOf("/state.log"));
        static_cast<void>(records.Load());
        stored = std::max(stored, FindCursor(records, kKey, clock_.Wall()));
    };
    EXPECT_EQ(TrimOutcome::kTrimmed, Run().outcome);
    EXPECT_EQ(kGroup, stored);
}

// The daemon writes its records when it is stopped, and does not wait for the pass.
TEST_F(TrimPassTest, AnOrderlyStopOfTheDaemonStoresThePlace) {
    uint64_t stored = 0;
    During(2, [&] {
        ASSERT_TRUE(records_.Write().ok());
        stored = FindCursor(RecordFile(RealCalls(), tree_.PathOf("/state.log")), kKey,
                            clock_.Wall());
    });
    EXPECT_EQ(TrimOutcome::kTrimmed, Run().outcome);
    EXPECT_EQ(2 * kGroup, stored);
}

TEST_F(TrimPassTest, AfterAFailedPassTheNextBeginsAtTheBeginning) {
    During(1, [this] {
        syscalls_.Add("/data", FakeSyscalls::Mount{.device = makedev(179, 2),
                                                   .size_bytes = 4 * kGroup,
                                                   .error = EIO});
    });
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kIoError, receipt.outcome) << receipt.reason;
    EXPECT_EQ(2 * kGroup, receipt.range_length_bytes);
    EXPECT_EQ(0U, FindCursor(records_, kKey, clock_.Wall()));
}

TEST_F(TrimPassTest, ANextRunDoesNotFailAtThePlaceOfTheLast) {
    PutCursor(&records_, kKey, 2 * kGroup, clock_.Wall());
    syscalls_.Add("/data", FakeSyscalls::Mount{.device = makedev(179, 2),
                                               .size_bytes = 4 * kGroup,
                                               .error = EIO});
    manual_ = false;
    EXPECT_EQ(TrimOutcome::kIoError, Run().outcome);
    EXPECT_EQ(0U, FindCursor(records_, kKey, clock_.Wall()));
}

// f2fs of some 3.x kernels answers in this way.
TEST_F(TrimPassTest, AnswersThatEchoTheLengthAreNoCounts) {
    syscalls_.Add("/data", FakeSyscalls::Mount{.device = makedev(179, 2),
                                               .size_bytes = 4 * kGroup,
                                               .echoes_length = true});
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(std::nullopt, receipt.filesystem_bytes);
    EXPECT_THAT(receipt.note, HasSubstr("its answers are not byte counts"));
}

TEST_F(TrimPassTest, GoesOnWithANoteIfTheQueueCannotBeSet) {
    init_.Stop();
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_FALSE(receipt.throttled);
    EXPECT_THAT(receipt.note, HasSubstr("the disk queue is not throttled: init did not apply"));
}

TEST_F(TrimPassTest, TheQueueIsPutBackAfterAStopAsWell) {
    During(0, [this] { stop_.Raise("abort requested"); });
    EXPECT_TRUE(Run().throttled);
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.nr_requests"));
    EXPECT_EQ("104333312\n", tree_.Read(std::string(FakeInit::kQueue) + "discard_max_bytes"));
}

TEST_F(TrimPassTest, AStopInAPauseChangesTheQueueNoMoreThanBack) {
    const auto discarded = [this](int discards) {
        tree_.Write("/proc/diskstats", "179 0 mmcblk0 0 0 0 0 0 0 0 0 0 0 0 " +
                                               std::to_string(discards) + " 0 " +
                                               std::to_string(discards * 1024) + " 0 0 0\n");
    };
    discarded(0);
    // Discards of 512 KiB and 1 ms: the next step would have larger ones.
    During(0, [&] {
        clock_.Advance(milliseconds(1));
        discarded(1);
    });
    pauser_.during = [this] {
        if (pauser_.pauses.back() == milliseconds(2)) stop_.Raise("the screen is on");
    };
    EXPECT_EQ(TrimOutcome::kAborted, Run().outcome);
    EXPECT_THAT(pauser_.pauses, ElementsAre(milliseconds(100), milliseconds(100), milliseconds(2),
                                            milliseconds(100), milliseconds(100)));
}

class SeveralDevicesTest : public TrimPassTest {
  protected:
    SeveralDevicesTest() {
        members_.devices = {makedev(179, 2), makedev(8, 16)};
        tree_.Write("/sys/dev/block/179:2/size", std::to_string(kGroup / 512) + "\n");
        tree_.Write("/sys/dev/block/8:16/size", std::to_string(3 * kGroup / 512) + "\n");
        Discarded(0, 0);
    }

    void Discarded(uint64_t first, uint64_t second) {
        const std::string zeros = " 0 0 0 0 0 0 0 0 0 0 0 1 0 ";
        tree_.Write("/proc/diskstats", "179 2 mmcblk0p2" + zeros + std::to_string(first) +
                                               " 1 0 0\n8 16 sdb" + zeros + std::to_string(second) +
                                               " 1 0 0\n");
    }
};

TEST_F(SeveralDevicesTest, AllDevicesOfAFileSystemAreTrimmedAndCounted) {
    During(3, [this] { Discarded(8, 24); });
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(4, calls_);
    EXPECT_EQ(32 * 512U, receipt.block_layer_bytes);
    EXPECT_THAT(receipt.note, HasSubstr("is on 2 disks, and the queue of the first alone"));
    EXPECT_THAT(receipt.note, HasSubstr("the sum of the file system's 2 devices"));
}

TEST_F(SeveralDevicesTest, AFileSystemLargerThanItsDeviceIsTrimmedToItsEnd) {
    members_ = {.devices = {makedev(179, 2)}};
    During(0, [] {});
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(4, calls_);
    EXPECT_THAT(receipt.note, HasSubstr("of the device /dev/mmcblk0p2 alone: the file system is "
                                        "larger than that"));
    members_.problem = "the disk map is garbled";
    EXPECT_THAT(Run().note, HasSubstr("/dev/mmcblk0p2 alone: the disk map is garbled"));
}

}  // namespace
}  // namespace storekeeper
