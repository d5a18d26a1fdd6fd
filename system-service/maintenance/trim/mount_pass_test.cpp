// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/mount_pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/trim_seams.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t kGroup = 128 << 20;

class MountPassTest : public TrimSeamsTest {
  protected:
    MountPassTest() {
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
        return MountPass(seams_, selection, {.manual = true}, {milliseconds(5), std::nullopt},
                         stop_, why_stop_)
                .Run();
    }

    // Runs in the FITRIM of this number, from 0.
    void During(int call, std::function<void()> what) {
        during_ = [this, call, what = std::move(what)] {
            if (calls_++ == call) what();
        };
    }

    Members members_{.devices = {makedev(179, 2)}};
    StopSignal stop_;
    StopAsker why_stop_;
    int calls_ = 0;
    std::function<void()> during_ = [] {};
};

TEST_F(MountPassTest, SuspendCountsNeitherAsWorkNorForThePause) {
    During(0, [this] {
        clock_.Advance(milliseconds(10));
        clock_.Suspend(hours(8));
    });
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(milliseconds(10), receipt.trimming);
    EXPECT_THAT(pauser_.pauses, ElementsAre(milliseconds(30)));
    EXPECT_EQ(hours(8) + milliseconds(40), receipt.duration);
}

TEST_F(MountPassTest, ASliceIsRepeatedUntilNoSuspendCutsIt) {
    during_ = [this] {
        if (calls_++ < 3) clock_.Suspend(hours(1));
    };
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kTrimmed, receipt.outcome) << receipt.reason;
    EXPECT_EQ(4U, receipt.slices);
    EXPECT_EQ(4 + 3, calls_);
    // All four answers of the first slice: what each of them discarded.
    EXPECT_EQ(4 * 4096U, receipt.filesystem_bytes);
}

TEST_F(MountPassTest, ASliceThatSuspendsCutMayBeStoppedInBetween) {
    During(1, [this] {
        clock_.Suspend(hours(1));
        why_stop_ = [] { return "the battery is low"; };
    });
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
    EXPECT_EQ(2, calls_);
    // The slice that was cut is done again by the next run.
    EXPECT_EQ(kGroup, receipt.range_length_bytes);
    EXPECT_EQ(kGroup, FindCursor(records_, {.fsid = makedev(179, 2), .size_bytes = 4 * kGroup},
                                 clock_.Wall()));
}

TEST_F(MountPassTest, TheReceiptOfAStopBehindTheWrapCountsBothParts) {
    PutCursor(&records_, {.fsid = makedev(179, 2), .size_bytes = 4 * kGroup}, 2 * kGroup,
              clock_.Wall());
    // Two groups to the end, one at the beginning.
    During(3, [this] { stop_.Raise("abort requested"); });
    const MountReceipt receipt = Run();
    EXPECT_EQ(TrimOutcome::kAborted, receipt.outcome);
    EXPECT_EQ(2 * kGroup, receipt.range_start_bytes);
    EXPECT_EQ(3 * kGroup, receipt.range_length_bytes);
}

class SeveralDevicesTest : public MountPassTest {
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
