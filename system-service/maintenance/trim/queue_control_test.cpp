// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "maintenance/trim/init_writes.h"
#include "testing/fake_clock.h"
#include "testing/fake_fitrim.h"
#include "testing/fake_init.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

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

TEST_F(QueueControlTest, PiecesAreNoSmallerThanTheGranularity) {
    struct Row {
        const char* granularity;
        const char* max_before;
        const char* max_throttled;
    };
    for (const Row& row :
         {Row{"4096\n", "104333312\n", "524288\n"}, Row{"524288\n", "104333312\n", "524288\n"},
          Row{"393216\n", "393216000\n", "786432\n"}, Row{"4194304\n", "104857600\n", "4194304\n"},
          Row{"4096\n", "65536\n", "65536\n"}}) {
        tree_.Write(std::string(FakeInit::kQueue) + "discard_granularity", row.granularity);
        tree_.Write(std::string(FakeInit::kQueue) + "discard_max_bytes", row.max_before);
        ASSERT_TRUE(queue_.Throttle(disk_).ok());
        EXPECT_EQ(row.max_throttled, Shown("discard_max_bytes"));
        EXPECT_EQ("4\n", Shown("nr_requests"));
        ASSERT_TRUE(queue_.Restore().ok());
        EXPECT_EQ(row.max_before, Shown("discard_max_bytes"));
        EXPECT_EQ("64\n", Shown("nr_requests"));
    }
}

TEST_F(QueueControlTest, LeavesRoomForReadsWhereTheSchedulerCan) {
    ASSERT_TRUE(queue_.Throttle(disk_).ok());
    EXPECT_EQ("2\n", tree_.Read(FakeInit::kAsyncDepth));
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("48\n", tree_.Read(FakeInit::kAsyncDepth));
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.async_depth"));
    tree_.Remove(FakeInit::kAsyncDepth);
    ASSERT_TRUE(queue_.Throttle(disk_).ok());
    EXPECT_EQ("4\n", Shown("nr_requests"));
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("64\n", Shown("nr_requests"));
    EXPECT_FALSE(files_.Exists(FakeInit::kAsyncDepth));
}

TEST_F(QueueControlTest, TheNextMountOfARunFindsItThrottled) {
    ASSERT_TRUE(queue_.Throttle(disk_).ok());
    ASSERT_TRUE(queue_.Throttle(disk_).ok());
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
}

TEST_F(QueueControlTest, InitPutsItBackWhenTheDaemonDies) {
    ASSERT_TRUE(queue_.Throttle(disk_).ok());
    init_.DaemonDied();
    EXPECT_EQ("48\n", tree_.Read(FakeInit::kAsyncDepth));
    EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
    EXPECT_EQ("64\n", Shown("nr_requests"));
}

TEST_F(QueueControlTest, TheNextDaemonPutsBackWhatInitDidNot) {
    ASSERT_TRUE(queue_.Throttle(disk_).ok());
    QueueControl next(files_, pauser_, init_.properties());
    ASSERT_TRUE(next.Restore().ok());
    EXPECT_EQ("104333312\n", Shown("discard_max_bytes"));
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.nr_requests"));
}

TEST_F(QueueControlTest, PutsBackNothingWhereNothingWasChanged) {
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("", init_.Get("storekeeper.queue.nr_requests"));
}

// The property service refuses one request: of those that throttle, restore and forget in turn.
TEST_F(QueueControlTest, ARefusedPropertyLeavesTheQueueAsItWas) {
    for (int refused = 1; refused <= 15; ++refused) {
        int number = 0;
        const QueueControl::Properties of_init = init_.properties();
        const auto set = [&](const std::string& name, const std::string& value) {
            return ++number != refused && of_init.set(name, value);
        };
        QueueControl queue(files_, pauser_, {.get = of_init.get, .set = set});
        const bool throttled = queue.Throttle(disk_).ok();
        if (throttled) static_cast<void>(queue.Throttle(disk_));
        static_cast<void>(queue.Restore());
        EXPECT_EQ("104333312\n", Shown("discard_max_bytes")) << refused;
        EXPECT_EQ("64\n", Shown("nr_requests")) << refused;
        EXPECT_EQ("48\n", tree_.Read(FakeInit::kAsyncDepth)) << refused;
        EXPECT_TRUE(queue_.Restore().ok());
    }
}

// What is saved is what the queue had before, not what a restoring that failed has left.
TEST_F(QueueControlTest, TheNextRunRestoresWhatTheLastOneCouldNot) {
    ASSERT_TRUE(queue_.Throttle(disk_).ok());
    const QueueControl::Properties of_init = init_.properties();
    const auto set = [&](const std::string& name, const std::string& value) {
        return name != "storekeeper.queue.async_depth" && of_init.set(name, value);
    };
    QueueControl without(files_, pauser_, {.get = of_init.get, .set = set});
    EXPECT_FALSE(without.Restore().ok());
    ASSERT_TRUE(queue_.Throttle(disk_).ok());
    ASSERT_TRUE(queue_.Restore().ok());
    EXPECT_EQ("48\n", tree_.Read(FakeInit::kAsyncDepth));
}

TEST_F(QueueControlTest, SaysWhyItIsNotThrottled) {
    EXPECT_THAT(queue_.Throttle(makedev(8, 0)).error().message(),
                HasSubstr("the queue of 179:0 only, this is 8:0"));
    tree_.Write(std::string(FakeInit::kQueue) + "discard_granularity", "500000\n");
    EXPECT_THAT(queue_.Throttle(disk_).error().message(), HasSubstr("not a multiple"));
    tree_.Write(std::string(FakeInit::kQueue) + "discard_granularity", "524288\n");
    init_.Stop();
    EXPECT_THAT(queue_.Throttle(disk_).error().message(), HasSubstr("init did not apply"));
    // And nothing is left to be put back.
    EXPECT_EQ("", init_.Get("storekeeper.queue.saved.nr_requests"));
    tree_.Remove("/dev/sys/block/by-name/rootdisk");
    EXPECT_THAT(queue_.Throttle(disk_).error().message(), HasSubstr("rootdisk/dev"));
}

}  // namespace
}  // namespace storekeeper
