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
                                            .type = "ext4"}};
        return MountPass(seams_, selection, {.manual = true}, milliseconds(5), stop_, why_stop_)
                .Run();
    }

    // Runs in the FITRIM of this number, from 0.
    void During(int call, std::function<void()> what) {
        during_ = [this, call, what = std::move(what)] {
            if (calls_++ == call) what();
        };
    }

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

}  // namespace
}  // namespace storekeeper
