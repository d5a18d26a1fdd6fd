// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/queue_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <vector>

#include "testing/fake_clock.h"
#include "testing/fake_fitrim.h"
#include "testing/fake_init.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr uint64_t kPiece = 512 << 10;

class QueueControlTest : public testing::Test {
  protected:
    std::string Shown(const std::string& name) { return tree_.Read(FakeInit::kQueue + name); }

    const dev_t disk_ = makedev(179, 0);
    Tree tree_;
    FileReader files_ = tree_.files();
    FakeInit init_{tree_};
    FakeClock clock_;
    FakePauser pauser_{clock_};
    QueueControl queue_{files_, pauser_, init_.properties()};
};

TEST_F(QueueControlTest, SizesAreThoseOfTheDiskThrottledOrNot) {
    for (const bool throttled : {false, true}) {
        if (throttled) ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
        EXPECT_EQ(524288U, queue_.Sizes(disk_)->granularity);
        EXPECT_EQ(104333312U, queue_.Sizes(disk_)->largest);
    }
}

TEST_F(QueueControlTest, ADiskWithSmallerDiscardsKeepsThem) {
    for (const uint64_t piece : {uint64_t{1 << 20}, uint64_t{104333312}, uint64_t{1} << 30}) {
        ASSERT_TRUE(queue_.Throttle(disk_, piece).ok());
        EXPECT_EQ(std::to_string(std::min(piece, uint64_t{104333312})) + "\n",
                  Shown("discard_max_bytes"));
        ASSERT_TRUE(queue_.Restore().ok());
        EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
    }
}

TEST_F(QueueControlTest, ReportsWhetherItHadToChangeTheQueue) {
    EXPECT_TRUE(queue_.Throttle(disk_, kPiece).value());
    // The queue is still changed.
    EXPECT_TRUE(queue_.Throttle(disk_, kPiece).value());
    ASSERT_TRUE(queue_.Restore().ok());
    tree_.Write(FakeInit::kWbtLatency, "1\n");
    tree_.Write(FakeInit::kAsyncDepth, "3\n");
    EXPECT_FALSE(queue_.Throttle(disk_, uint64_t{1} << 30).value());
}

TEST_F(QueueControlTest, OneDiscardAtATimeWhereTheKernelCan) {
    ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
    EXPECT_EQ("1\n", tree_.Read(FakeInit::kWbtLatency));
    EXPECT_EQ("64\n", Shown("nr_requests"));
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("2000\n", tree_.Read(FakeInit::kWbtLatency));
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.wbt_lat_usec"));
}

TEST_F(QueueControlTest, FewRequestsWhereItCannot) {
    // Linux has the file without writeback throttling, too, but then it cannot be read.
    for (const char* shown : {"", "garbage\n"}) {
        tree_.Write(FakeInit::kWbtLatency, shown);
        ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
        EXPECT_EQ("4\n", Shown("nr_requests"));
        ASSERT_TRUE(queue_.Restore().ok());
        EXPECT_EQ("64\n", Shown("nr_requests"));
        EXPECT_EQ(shown, tree_.Read(FakeInit::kWbtLatency));
    }
}

// The limit is 99.5 MiB in units of 4 MiB. The kernel does not take that, so init could not write
// it when the daemon dies.
TEST_F(QueueControlTest, AnOddLimitOfTheHardwareIsRestored) {
    tree_.Write(std::string(FakeInit::kQueue) + "discard_granularity", "4194304\n");
    EXPECT_EQ(4U << 20, queue_.Sizes(disk_)->granularity);
    EXPECT_EQ(100U << 20, queue_.Sizes(disk_)->largest);
    ASSERT_TRUE(queue_.Throttle(disk_, 4 << 20).ok());
    EXPECT_EQ("4194304\n", Shown("discard_max_bytes"));
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
    ASSERT_TRUE(queue_.Throttle(disk_, 4 << 20).ok());
    init_.DaemonDied();
    EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
}

// A UFS that unmaps 32 GiB at once shows a limit that the kernel does not take.
TEST_F(QueueControlTest, ALimitOfMoreThan4GibIsRestoredAsFarAsTheKernelTakesIt) {
    for (const char* name : {"discard_max_bytes", "discard_max_hw_bytes"}) {
        tree_.Write(FakeInit::kQueue + std::string(name), "34359734272\n");
    }
    tree_.Write(std::string(FakeInit::kQueue) + "discard_granularity", "4096\n");
    for (int run = 0; run < 2; ++run) {
        ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
        EXPECT_EQ(std::to_string(kPiece) + "\n", Shown("discard_max_bytes"));
        const auto restored = queue_.Restore();
        ASSERT_TRUE(restored.ok()) << restored.error();
        EXPECT_EQ("4294963200\n", Shown("discard_max_bytes"));
    }
}

// Each write of nr_requests stops the queue until the requests in it are done.
TEST_F(QueueControlTest, AnotherSizeIsAllThatItChanges) {
    ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
    const InitProperties of_init = init_.properties();
    std::vector<std::string> asked;
    const auto set = [&](const std::string& name, const std::string& value) {
        asked.push_back(name + "=" + value);
        return of_init.set(name, value);
    };
    QueueControl queue(files_, pauser_, {.get = of_init.get, .set = set});
    ASSERT_TRUE(queue.Throttle(disk_, 2 * kPiece).ok());
    EXPECT_THAT(asked, testing::ElementsAre("storekeeper.queue.discard_max_bytes=1048576"));
}

// The kernel stops the queue for each change: a synced write must not meet two, not even of two
// mounts.
TEST_F(QueueControlTest, AWindowOfThrottlingIsAfterEachChange) {
    const InitProperties of_init = init_.properties();
    std::vector<BootTime> changes;
    const auto set = [&](const std::string& name, const std::string& value) {
        if (name.find("saved") == std::string::npos && name != "storekeeper.queue.async_depth") {
            changes.push_back(clock_.SinceBoot());
        }
        return of_init.set(name, value);
    };
    QueueControl queue(files_, pauser_, {.get = of_init.get, .set = set});
    ASSERT_TRUE(queue.Throttle(disk_, kPiece).ok());
    ASSERT_TRUE(queue.Restore().ok());
    ASSERT_TRUE(queue.Throttle(disk_, kPiece).ok());
    ASSERT_EQ(6U, changes.size());
    for (size_t i = 1; i < changes.size(); ++i) {
        EXPECT_GE(changes[i] - changes[i - 1], std::chrono::milliseconds(100)) << i;
    }
}

TEST_F(QueueControlTest, LeavesRoomForReadsWhereTheSchedulerCan) {
    for (const bool has_wbt : {true, false}) {
        if (!has_wbt) tree_.Remove(FakeInit::kWbtLatency);
        ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
        EXPECT_EQ("3\n", tree_.Read(FakeInit::kAsyncDepth));
        ASSERT_TRUE(queue_.Restore().ok());
        EXPECT_EQ("48\n", tree_.Read(FakeInit::kAsyncDepth));
        EXPECT_EQ("", init_.Get("storekeeper.queue.saved.async_depth"));
    }
    tree_.Remove(FakeInit::kAsyncDepth);
    ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
    EXPECT_EQ("4\n", Shown("nr_requests"));
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("64\n", Shown("nr_requests"));
    EXPECT_FALSE(files_.Exists(FakeInit::kAsyncDepth));
}

TEST_F(QueueControlTest, TheNextMountOfARunFindsItThrottled) {
    ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
    ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
}

TEST_F(QueueControlTest, InitPutsItBackWhenTheDaemonDies) {
    for (const bool has_wbt : {true, false}) {
        if (!has_wbt) tree_.Remove(FakeInit::kWbtLatency);
        ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
        init_.DaemonDied();
        EXPECT_EQ("48\n", tree_.Read(FakeInit::kAsyncDepth));
        EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
        EXPECT_EQ("64\n", Shown("nr_requests"));
        if (has_wbt) EXPECT_EQ("2000\n", tree_.Read(FakeInit::kWbtLatency));
    }
}

TEST_F(QueueControlTest, TheNextDaemonPutsBackWhatInitDidNot) {
    ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
    QueueControl next(files_, pauser_, init_.properties());
    ASSERT_TRUE(next.Restore().ok());
    EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.nr_requests"));
}

TEST_F(QueueControlTest, PutsBackNothingWhereNothingWasChanged) {
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("", init_.Get("storekeeper.queue.nr_requests"));
}

// The property service refuses one request, in turn each of those that throttle, restore and
// forget.
TEST_F(QueueControlTest, ARefusedPropertyLeavesTheQueueAsItWas) {
    for (int refused = 1; refused <= 15; ++refused) {
        int number = 0;
        const InitProperties of_init = init_.properties();
        const auto set = [&](const std::string& name, const std::string& value) {
            return ++number != refused && of_init.set(name, value);
        };
        QueueControl queue(files_, pauser_, {.get = of_init.get, .set = set});
        const bool throttled = queue.Throttle(disk_, kPiece).ok();
        if (throttled) static_cast<void>(queue.Throttle(disk_, kPiece));
        static_cast<void>(queue.Restore());
        EXPECT_EQ("104333312\n", Shown("discard_max_bytes")) << refused;
        EXPECT_EQ("64\n", Shown("nr_requests")) << refused;
        EXPECT_EQ("48\n", tree_.Read(FakeInit::kAsyncDepth)) << refused;
        EXPECT_TRUE(queue_.Restore().ok());
    }
}

// The saved values are from before the run, not from after the restoring that failed.
TEST_F(QueueControlTest, TheNextRunRestoresWhatTheLastOneCouldNot) {
    ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
    const InitProperties of_init = init_.properties();
    const auto set = [&](const std::string& name, const std::string& value) {
        return name != "storekeeper.queue.async_depth" && of_init.set(name, value);
    };
    QueueControl without(files_, pauser_, {.get = of_init.get, .set = set});
    EXPECT_FALSE(without.Restore().ok());
    ASSERT_TRUE(queue_.Throttle(disk_, kPiece).ok());
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("48\n", tree_.Read(FakeInit::kAsyncDepth));
}

TEST_F(QueueControlTest, SaysWhyItIsNotThrottled) {
    EXPECT_THAT(queue_.Throttle(makedev(8, 0), kPiece).error().message(),
                HasSubstr("the queue of 179:0 only, this is 8:0"));
    tree_.Write(std::string(FakeInit::kQueue) + "discard_granularity", "0\n");
    EXPECT_THAT(queue_.Throttle(disk_, kPiece).error().message(),
                HasSubstr("discard_granularity is 0"));
    tree_.Write(std::string(FakeInit::kQueue) + "discard_granularity", "524288\n");
    init_.Stop();
    EXPECT_THAT(queue_.Throttle(disk_, kPiece).error().message(), HasSubstr("init did not apply"));
    // Nothing is left to restore.
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.nr_requests"));
    tree_.Remove("/dev/sys/block/by-name/rootdisk");
    EXPECT_THAT(queue_.Throttle(disk_, kPiece).error().message(), HasSubstr("rootdisk/dev"));
}

}  // namespace
}  // namespace storekeeper
