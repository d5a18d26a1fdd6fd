// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/foreground.h"

#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "base/io_pressure.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::milliseconds;

// What /proc shows of a disk at one moment.
struct Moment {
    int reads = 0;
    int reading_ms = 0;
    int writes = 0;
    int writing_ms = 0;
    int in_flight = 0;
    int busy_ms = 0;
    int discards = -1;   // -1: a kernel that does not count them
    int waited_ms = -1;  // -1: a kernel without pressure stall information
};

class ForegroundTest : public testing::Test {
  protected:
    void Show(const Moment& now) {
        const auto text = [](int number) { return " " + std::to_string(number); };
        std::string line = "179 0 mmcblk0" + text(now.reads) + " 0 0" + text(now.reading_ms) +
                           text(now.writes) + " 0 0" + text(now.writing_ms) + text(now.in_flight) +
                           text(now.busy_ms) + " 0";
        if (now.discards >= 0) line += text(now.discards) + " 0" + text(8 * now.discards) + " 0";
        tree_.Write(kDiskstatsPath, line + "\n");
        if (now.waited_ms < 0) return;
        tree_.Write(kIoPressurePath, "some avg10=0.00 avg60=0.00 avg300=0.00 total=" +
                                             std::to_string(now.waited_ms * 1000) + "\n");
    }

    void Slice(const Moment& before, const Moment& after) {
        Show(before);
        watch_.BeginSlice();
        Show(after);
        watch_.EndSlice();
    }

    bool Pause(const Moment& before, const Moment& after) {
        Show(before);
        watch_.BeginPause();
        Show(after);
        return watch_.WasBusy(milliseconds(100));
    }

    Tree tree_;
    const FileReader files_ = tree_.files();
    ForegroundWatch watch_{files_, {makedev(179, 0)}};
};

TEST_F(ForegroundTest, TheWorstMeanOfASlice) {
    Slice({}, {});
    EXPECT_EQ(std::nullopt, watch_.worst());
    Slice({.reads = 1}, {.reads = 3});
    EXPECT_EQ(std::nullopt, watch_.worst());
    Slice({.reads = 1, .reading_ms = 1}, {.reads = 3, .reading_ms = 9});
    EXPECT_EQ(milliseconds(4), watch_.worst());
    Slice({}, {.writes = 2, .writing_ms = 10});
    EXPECT_EQ(milliseconds(5), watch_.worst());
    Slice({}, {.reads = 1, .reading_ms = 1});
    EXPECT_EQ(milliseconds(5), watch_.worst());
}

TEST_F(ForegroundTest, DiscardsOfASliceWhereTheKernelCounts) {
    Slice({}, {});
    EXPECT_FALSE(watch_.discards().has_value());
    Slice({.discards = 3}, {.discards = 7});
    ASSERT_TRUE(watch_.discards().has_value());
    EXPECT_EQ(4U, watch_.discards()->number);
    EXPECT_EQ(4U * 8 * kSectorBytes, watch_.discards()->bytes);
    EXPECT_EQ(0U, watch_.discards()->others);
    Slice({.reads = 5, .writes = 2, .discards = 3}, {.reads = 7, .writes = 3, .discards = 7});
    EXPECT_EQ(3U, watch_.discards()->others);
    // Of another card, or garbage.
    Slice({.discards = 7}, {.discards = 3});
    EXPECT_FALSE(watch_.discards().has_value());
    Slice({.discards = 3}, {.discards = 7});
    tree_.Remove(kDiskstatsPath);
    watch_.EndSlice();
    EXPECT_FALSE(watch_.discards().has_value());
    watch_.BeginSlice();
    watch_.EndSlice();
    EXPECT_FALSE(watch_.discards().has_value());
}

TEST_F(ForegroundTest, DiscardsOfASliceThatIsUnderWay) {
    Show({.discards = 3});
    watch_.BeginSlice();
    EXPECT_EQ(0U, watch_.DiscardsSoFar()->number);
    Show({.discards = 7});
    EXPECT_EQ(4U, watch_.DiscardsSoFar()->number);
    Show({.discards = 9});
    EXPECT_EQ(6U, watch_.DiscardsSoFar()->number);
    EXPECT_EQ(6U * 8 * kSectorBytes, watch_.DiscardsSoFar()->bytes);
    tree_.Remove(kDiskstatsPath);
    EXPECT_FALSE(watch_.DiscardsSoFar().has_value());
    watch_.BeginSlice();
    Show({.discards = 9});
    EXPECT_FALSE(watch_.DiscardsSoFar().has_value());
}

TEST_F(ForegroundTest, WhetherOthersWaitedForASlice) {
    // Nothing is known before anything is seen.
    EXPECT_TRUE(watch_.others_waited());
    Slice({}, {});
    EXPECT_FALSE(watch_.others_waited());
    Slice({}, {.reads = 1});
    EXPECT_TRUE(watch_.others_waited());
    // Undisturbed, a request takes 2 ms on average.
    Pause({.reads = 1, .writes = 1}, {.reads = 4, .reading_ms = 2, .writes = 2, .writing_ms = 6});
    Slice({}, {.reads = 50, .reading_ms = 20, .writes = 50, .writing_ms = 229});
    EXPECT_FALSE(watch_.others_waited());
    Slice({}, {.reads = 50, .reading_ms = 20, .writes = 50, .writing_ms = 240});
    EXPECT_TRUE(watch_.others_waited());
    // A slice without any does not change that, nor many slices of which few have some.
    for (int slice = 0; slice < 12; ++slice) {
        Slice({}, {});
        EXPECT_TRUE(watch_.others_waited());
        Slice({}, {.reads = 1, .reading_ms = 3});
        EXPECT_TRUE(watch_.others_waited());
    }
    for (int slice = 0; slice < 24; ++slice) Slice({}, {});
    EXPECT_FALSE(watch_.others_waited());
    tree_.Remove(kDiskstatsPath);
    watch_.EndSlice();
    EXPECT_TRUE(watch_.others_waited());
}

TEST_F(ForegroundTest, WhetherADiscardWaitedForOthers) {
    // Nothing reports.
    watch_.BeginDiscard();
    EXPECT_TRUE(watch_.WasAlone());
    Show({.reads = 5, .writes = 5});
    EXPECT_TRUE(watch_.WasAlone());
    watch_.BeginDiscard();
    EXPECT_TRUE(watch_.WasAlone());
    // It came later.
    Show({.reads = 5, .writes = 5, .in_flight = 1});
    EXPECT_TRUE(watch_.WasAlone());
    Show({.reads = 6, .writes = 5});
    EXPECT_FALSE(watch_.WasAlone());
    Show({.reads = 5, .writes = 6});
    EXPECT_FALSE(watch_.WasAlone());
    Show({.reads = 5, .writes = 6, .in_flight = 1});
    watch_.BeginDiscard();
    EXPECT_FALSE(watch_.WasAlone());
    tree_.Remove(kDiskstatsPath);
    EXPECT_TRUE(watch_.WasAlone());
}

TEST_F(ForegroundTest, WhetherAPauseWasUsed) {
    EXPECT_FALSE(Pause({}, {.busy_ms = 50}));
    EXPECT_TRUE(Pause({}, {.busy_ms = 51}));
    EXPECT_FALSE(Pause({}, {.in_flight = 7}));
    EXPECT_TRUE(Pause({}, {.in_flight = 8}));
    // Tasks that waited count where the kernel knows of them.
    EXPECT_FALSE(Pause({}, {.waited_ms = 1000}));
    EXPECT_FALSE(Pause({.waited_ms = 1000}, {.waited_ms = 1050}));
    EXPECT_TRUE(Pause({.waited_ms = 1000}, {.waited_ms = 1051}));
    // Of a disk that is gone nothing is known, before or after.
    tree_.Remove(kDiskstatsPath);
    EXPECT_TRUE(watch_.WasBusy(milliseconds(100)));
    watch_.BeginPause();
    Show({.in_flight = 8, .waited_ms = 1051});
    EXPECT_FALSE(watch_.WasBusy(milliseconds(100)));
}

}  // namespace
}  // namespace storekeeper
