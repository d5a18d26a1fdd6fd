// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/critical_watch.h"

#include <gtest/gtest.h>

#include "testing/fake_clock.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

constexpr char kFile[] = "/sys/dev/block/8:0/critical_health";

class CriticalWatchTest : public testing::Test {
  protected:
    CriticalWatchTest() {
        tree_.Write("/proc/self/mountinfo", "40 21 8:2 / /data rw - f2fs /dev/x rw\n");
        tree_.Write("/sys/dev/block/8:2/partition", "2\n");
        tree_.Write("/sys/dev/block/dev", "8:0\n");
        tree_.MakeDirectory("/sys/dev/block/8:0/device");
        tree_.MakeDirectory("/sys/dev/block/8:0/health_descriptor");
    }

    Tree tree_;
    FileReader files_ = tree_.files();
    FakeClock clock_;
    CriticalWatch watch_{RealCalls(), files_, clock_};
};

TEST_F(CriticalWatchTest, WaitsForTheFileOfTheHost) {
    EXPECT_EQ(-1, watch_.Descriptor());
    tree_.Write(kFile, "0\n");
    const int descriptor = watch_.Descriptor();
    EXPECT_NE(-1, descriptor);
    EXPECT_EQ(descriptor, watch_.Descriptor());
}

TEST_F(CriticalWatchTest, AReportIsFollowedByARest) {
    tree_.Write(kFile, "1\n");
    EXPECT_NE(-1, watch_.Descriptor());
    EXPECT_TRUE(watch_.Acknowledge());
    EXPECT_EQ(-1, watch_.Descriptor());
    clock_.Advance(CriticalWatch::kRest);
    EXPECT_NE(-1, watch_.Descriptor());
}

TEST_F(CriticalWatchTest, AnEmmcHasNone) {
    tree_.Remove("/sys/dev/block/8:0/health_descriptor");
    tree_.Write(kFile, "0\n");
    EXPECT_EQ(-1, watch_.Descriptor());
}

}  // namespace
}  // namespace storekeeper
