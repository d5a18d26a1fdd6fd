// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// f2fs writes a checkpoint for each FITRIM, and sleeps after every eight discards.

#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "maintenance/trim/trimmer.h"
#include "testing/fake_init.h"
#include "testing/two_mounts.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::Not;

constexpr uint64_t kMib = 1 << 20;

class F2fsTrimTest : public TwoMountsTest {
  protected:
    F2fsTrimTest() { MountF2fs("nodiscard"); }

    void MountF2fs(const std::string& option) {
        tree_.Write("/proc/self/mountinfo",
                    "40 21 179:2 / /data rw - f2fs /dev/x rw," + option + "\n");
    }
};

TEST_F(F2fsTrimTest, GetsRangesWithoutDiscardAndOneCallWithIt) {
    Run({"/data"});
    // Nothing counts what the first, short one discards.
    EXPECT_EQ(17U, syscalls_.fitrims().size());
    EXPECT_EQ(2 * kMib, syscalls_.fitrims()[0].length);
    EXPECT_EQ(62 * kMib, syscalls_.fitrims()[1].length);
    EXPECT_EQ(64 * kMib, syscalls_.fitrims()[2].length);
    MountF2fs("discard");
    TrimReceipt receipt = Run({"/data"});
    EXPECT_EQ(18U, syscalls_.fitrims().size());
    EXPECT_EQ(UINT64_MAX, syscalls_.fitrims().back().length);
    EXPECT_THAT(receipt.mounts[0].note, HasSubstr("queues the discards"));
}

// /data is empty; a checkpoint takes 5 ms.
class EmptyF2fsTest : public F2fsTrimTest {
  protected:
    EmptyF2fsTest() {
        syscalls_.Add("/data", FakeSyscalls::Mount{.device = makedev(179, 2),
                                                   .size_bytes = kSize,
                                                   .answer_bytes = 4096,
                                                   .during = [this] { DiscardAll(); }});
        Report();
    }

    void DiscardAll() {
        uint64_t limit = 0;
        ASSERT_TRUE(android::base::ParseUint(android::base::Trim(
                                                     tree_.Read(std::string(FakeInit::kQueue) +
                                                                "discard_max_bytes")),
                                             &limit));
        const FakeSyscalls::Fitrim slice = syscalls_.fitrims().back();
        const uint64_t length = std::min(slice.length, kSize - slice.start);
        const uint64_t discards = (length + limit - 1) / limit;
        const nanoseconds discarding =
                cost_.fixed * static_cast<int64_t>(discards) + cost_.Of(length) - cost_.fixed;
        limits_.push_back(limit);
        lengths_.push_back(length);
        discards_.push_back(discards);
        number_ += discards;
        sectors_ += length / kSectorBytes;
        discarding_ += discarding;
        clock_.Advance(discarding + milliseconds(5) +
                       milliseconds(24) * static_cast<int64_t>(discards / 8));
        before_report_();
        Report();
    }

    void Report() {
        const auto whole = std::chrono::duration_cast<milliseconds>(discarding_);
        tree_.Write("/proc/diskstats", "179 0 mmcblk0 0 0 0 0 " + std::to_string(writes_) +
                                               " 0 0 0 0 0 0 " + std::to_string(number_) + " 0 " +
                                               std::to_string(sectors_) + " " +
                                               std::to_string(whole.count()) + " 0 0\n");
    }

    MountReceipt RunOnce(bool hurry) {
        return trimmer_.Run({.manual = true, .mounts = {"/data"}, .hurry = hurry}, stop_, hooks_)
                .mounts.at(0);
    }

    DiscardCost cost_{.fixed = microseconds(300), .per_mib = microseconds(100)};
    uint64_t number_ = 0;
    uint64_t sectors_ = 0;
    nanoseconds discarding_{};
    uint64_t writes_ = 0;
    std::function<void()> before_report_ = [] {};
    std::vector<uint64_t> limits_;
    std::vector<uint64_t> lengths_;
    std::vector<uint64_t> discards_;
};

TEST_F(EmptyF2fsTest, ADiscardTakesNoCheckpointAndNoSleep) {
    const MountReceipt mount = RunOnce(false);
    ASSERT_TRUE(mount.discard_bytes.has_value());
    ASSERT_TRUE(mount.discard_time.has_value());
    // The largest size within 5 ms, of which the kernel counts whole milliseconds.
    EXPECT_GE(*mount.discard_bytes, 30 * kMib);
    EXPECT_LE(*mount.discard_bytes, 54 * kMib);
    EXPECT_NEAR(static_cast<double>(cost_.Of(*mount.discard_bytes).count()),
                static_cast<double>(mount.discard_time->count()), 1e6);
}

TEST_F(EmptyF2fsTest, DiscardsAreSoFewThatItDoesNotSleep) {
    RunOnce(false);
    EXPECT_THAT(discards_, Each(Le(7U)));
    EXPECT_THAT(lengths_, Each(Le(64 * kMib)));
    // Short ones teach what discards take.
    EXPECT_EQ(2 * kMib, lengths_.front());
    EXPECT_EQ(64 * kMib, lengths_[lengths_.size() / 2]);
}

// A checkpoint is always as many writes; others' requests come on top, and let a discard wait.
TEST_F(EmptyF2fsTest, ASliceInWhichOthersCameShowsNoCost) {
    cost_ = {.fixed = milliseconds(2)};
    before_report_ = [this] {
        writes_ += 3;
        if (limits_.size() % 2 == 0) return;
        ++writes_;
        discarding_ += milliseconds(30);
        clock_.Advance(milliseconds(30));
    };
    const MountReceipt mount = RunOnce(false);
    EXPECT_GE(mount.discard_time, milliseconds(2));
    EXPECT_LE(mount.discard_time, milliseconds(4));
}

// A change of the queue keeps others waiting for longer than such a discard.
TEST_F(EmptyF2fsTest, TheQueueStaysAsItIsWhereTheLongestDiscardIsKnownToBeShort) {
    tree_.Write("/sys/dev/block/179:0/device/cid", "1501004d4147324741ab12345678d3c7\n");
    cost_ = {.fixed = milliseconds(2)};
    const std::string before = tree_.Read(std::string(FakeInit::kQueue) + "discard_max_bytes");
    RunOnce(false);
    EXPECT_THAT(limits_, Not(Each(limits_.back())));
    init_.DaemonDied();
    limits_.clear();
    RunOnce(false);
    EXPECT_THAT(limits_, Not(IsEmpty()));
    for (const uint64_t limit : limits_) EXPECT_EQ(before, std::to_string(limit) + "\n");
}

TEST_F(EmptyF2fsTest, AHurryHasFewCheckpoints) {
    RunOnce(false);
    lengths_.clear();
    discards_.clear();
    RunOnce(true);
    EXPECT_LE(lengths_.size(), 10U);
    EXPECT_GT(*std::max_element(lengths_.begin(), lengths_.end()), 256 * kMib);
    EXPECT_THAT(discards_, Each(Le(7U)));
}

}  // namespace
}  // namespace storekeeper
