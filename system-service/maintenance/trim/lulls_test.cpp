// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/lulls.h"

#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <chrono>
#include <string>

#include "base/stop_signal.h"
#include "testing/fake_clock.h"
#include "testing/fake_fitrim.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Others who come every so often: a request takes 1 ms.
class Others {
  public:
    explicit Others(FakeClock& clock) : clock_(clock) { Show(); }

    void Read(milliseconds every, milliseconds first) { reads_ = {every, first}; }
    void Write(milliseconds every, milliseconds first) { writes_ = {every, first}; }
    void Show() {
        const nanoseconds now = clock_.Monotonic() - begin_;
        const int in_flight = reads_.IsThere(now) + writes_.IsThere(now);
        tree_.Write("/proc/diskstats", "179 0 mmcblk0 " + std::to_string(reads_.Ended(now)) +
                                               " 0 0 0 " + std::to_string(writes_.Ended(now)) +
                                               " 0 0 0 " + std::to_string(in_flight) + " 0 0\n");
    }
    FileReader files() const { return tree_.files(); }
    void Vanish() { tree_.Remove("/proc/diskstats"); }

  private:
    struct Stream {
        milliseconds every{};
        milliseconds first{};
        bool IsThere(nanoseconds now) const {
            return every.count() != 0 && now >= first && (now - first) % every < kRequest;
        }
        int64_t Ended(nanoseconds now) const {
            if (every.count() == 0 || now < first + kRequest) return 0;
            return (now - first - kRequest) / every + 1;
        }
    };
    static constexpr milliseconds kRequest{1};

    FakeClock& clock_;
    const nanoseconds begin_ = clock_.Monotonic();
    Tree tree_;
    Stream reads_;
    Stream writes_;
};

class LullsTest : public testing::Test {
  protected:
    LullsTest() {
        pauser_.during = [this] { others_.Show(); };
    }

    FakeClock clock_;
    FakePauser pauser_{clock_};
    Others others_{clock_};
    const FileReader files_ = others_.files();
    StopSignal stop_;
    Lulls lulls_{files_, clock_, pauser_, stop_, {makedev(179, 0)}};
};

TEST_F(LullsTest, FollowsOthersRequests) {
    others_.Read(milliseconds(10), milliseconds(4));
    // It ends after 5 ms, and is seen to be the last half a millisecond later.
    EXPECT_EQ(microseconds(5500), lulls_.Await());
    EXPECT_EQ(milliseconds(10), lulls_.Await());
}

TEST_F(LullsTest, FollowsWhoeverIsFirst) {
    others_.Read(milliseconds(50), milliseconds(4));
    others_.Write(milliseconds(50), milliseconds(9));
    EXPECT_EQ(microseconds(5500), lulls_.Await());
    EXPECT_EQ(milliseconds(5), lulls_.Await());
}

TEST_F(LullsTest, IsNotAwaitedForLong) {
    EXPECT_EQ(milliseconds(12), lulls_.Await());
    EXPECT_EQ(milliseconds(72), lulls_.AwaitAfterWrite());
    EXPECT_EQ(milliseconds(72), lulls_.AwaitLong());
}

TEST_F(LullsTest, NobodyLeavesABusyDiskAlone) {
    others_.Read(milliseconds(1), milliseconds(0));
    EXPECT_EQ(milliseconds(12), lulls_.Await());
}

TEST_F(LullsTest, OfWritesFollowsAWriteThatNoReadFollowsAtOnce) {
    others_.Read(milliseconds(10), milliseconds(1));
    others_.Write(milliseconds(50), milliseconds(20));
    EXPECT_EQ(milliseconds(22) + microseconds(500), lulls_.AwaitAfterWrite());
    EXPECT_EQ(milliseconds(50), lulls_.AwaitAfterWrite());
}

TEST_F(LullsTest, ALongOneFollowsTheReadBehindTheWrite) {
    others_.Read(milliseconds(10), milliseconds(7));
    others_.Write(milliseconds(50), milliseconds(20));
    EXPECT_EQ(milliseconds(28) + microseconds(500), lulls_.AwaitLong());
}

TEST_F(LullsTest, EndsWithTheRun) {
    pauser_.during = [this] { stop_.Raise("somebody touched the screen"); };
    EXPECT_EQ(microseconds(500), lulls_.Await());
    EXPECT_EQ(nanoseconds(0), lulls_.AwaitLong());
}

TEST_F(LullsTest, IsAtOnceWhereTheKernelDoesNotReport) {
    pauser_.during = [this] { others_.Vanish(); };
    EXPECT_EQ(microseconds(500), lulls_.Await());
    EXPECT_EQ(nanoseconds(0), lulls_.AwaitAfterWrite());
    EXPECT_EQ(nanoseconds(0), lulls_.AwaitLong());
}

}  // namespace
}  // namespace storekeeper
