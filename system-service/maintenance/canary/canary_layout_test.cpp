// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/canary_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr uint64_t kKib = 1 << 10;
constexpr uint64_t kMib = 1 << 20;
constexpr uint64_t kBlock = 4 * kKib;

TEST(PlanCanaryTest, WritesNoMoreThanAFifthOfTheBudget) {
    for (const uint64_t granularity : {uint64_t{0}, 4 * kKib, 512 * kKib, 4 * kMib}) {
        const CanaryPlan plan = *PlanCanary("ext4", kBlock, granularity, 0);
        EXPECT_GE(plan.gap_bytes, granularity);
        EXPECT_EQ(plan.gap_bytes % kCanaryKeptBytes, 0U);
        EXPECT_LE(5 * plan.written_bytes(), kCanaryBudgetBytes);
        EXPECT_EQ(plan.written_bytes(), 2 * plan.written_at_each_end());
        EXPECT_GE(plan.min_gap_bytes, std::max(granularity, kCanaryKeptBytes));
    }
}

TEST(PlanCanaryTest, ReservesOnExt4AndWritesAllOnF2fs) {
    EXPECT_TRUE(PlanCanary("ext4", kBlock, 4096, 0)->reserve);
    EXPECT_TRUE(PlanCanary("ext4", kBlock, 4096, 0)->is_written_whole());
    EXPECT_FALSE(PlanCanary("ext4", kBlock, 4 * kMib, 0)->is_written_whole());
    EXPECT_FALSE(PlanCanary("f2fs", kBlock, kMib, 0)->reserve);
    EXPECT_TRUE(PlanCanary("f2fs", kBlock, kMib, 0)->is_written_whole());
    EXPECT_TRUE(PlanCanary("f2fs", kBlock, kMib, 0)->own_log);
    EXPECT_FALSE(PlanCanary("f2fs", kBlock, kMib, kF2fsCanaryWrittenBytes)->own_log);
    EXPECT_LE(3 * PlanCanary("f2fs", kBlock, 0, 0)->written_bytes(), kCanaryBudgetBytes);
}

TEST(PlanCanaryTest, SaysWhyThereIsNone) {
    EXPECT_THAT(PlanCanary("xfs", kBlock, 4096, 0).error().message(), HasSubstr("type xfs"));
    EXPECT_THAT(PlanCanary("ext4", kBlock, 128 * kMib, 0).error().message(), HasSubstr("128 MiB"));
}

TEST(PlanCanaryTest, AGapIsNeverAWholeSegmentOfF2fs) {
    EXPECT_THAT(PlanCanary("f2fs", kBlock, 2 * kMib, 0).error().message(),
                HasSubstr("units of 2 MiB"));
    // A kernel with pages of 16 KiB has segments of 8 MiB.
    EXPECT_TRUE(PlanCanary("f2fs", 16 * kKib, 4 * kMib, 0).ok());
    EXPECT_THAT(PlanCanary("f2fs", 16 * kKib, 8 * kMib, 0).error().message(),
                HasSubstr("units of 8 MiB"));
}

TEST(PlaceGapTest, StandsBetweenTheKeptParts) {
    const CanaryPlan plan = *PlanCanary("ext4", kBlock, 4096, 0);
    EXPECT_EQ((CanaryGap{.offset = 64 * kKib,
                         .length = 64 * kKib,
                         .physical = 8 * kMib + 64 * kKib}),
              PlaceGap(plan, {{0, 8 * kMib, 192 * kKib}}));
    // FIEMAP's pieces may continue one another, in any order, and reach behind the file's end.
    EXPECT_EQ((CanaryGap{.offset = 64 * kKib,
                         .length = 64 * kKib,
                         .physical = 8 * kMib + 64 * kKib}),
              PlaceGap(plan, {{100 * kKib, 8 * kMib + 100 * kKib, 300 * kKib},
                              {0, 8 * kMib, 100 * kKib}}));
}

TEST(PlaceGapTest, TakesTheLongestPiece) {
    const CanaryPlan plan = *PlanCanary("f2fs", kBlock, 0, 0);
    EXPECT_EQ((CanaryGap{.offset = 164 * kKib,
                         .length = 92 * kKib,
                         .physical = 2 * kMib + 64 * kKib}),
              PlaceGap(plan, {{0, 4 * kMib, 100 * kKib}, {100 * kKib, 2 * kMib, 220 * kKib}}));
    EXPECT_EQ(std::nullopt,
              PlaceGap(plan, {{0, 4 * kMib, 160 * kKib}, {160 * kKib, 2 * kMib, 160 * kKib}}));
    EXPECT_EQ(std::nullopt, PlaceGap(plan, {}));
    // These extents are contiguous on the device, but not in the file.
    EXPECT_EQ(std::nullopt, PlaceGap(plan, {{0, 4 * kMib, 160 * kKib},
                                            {200 * kKib, 4 * kMib + 160 * kKib, 120 * kKib}}));
}

TEST(PlaceGapTest, NeedsAllOfAFileWhoseMiddleIsNotWritten) {
    const CanaryPlan plan = *PlanCanary("ext4", kBlock, kMib, 0);
    EXPECT_TRUE(PlaceGap(plan, {{0, 4 * kMib, plan.size()}}).has_value());
    EXPECT_FALSE(PlaceGap(plan, {{0, 4 * kMib, plan.size() - 4096}}).has_value());
}

TEST(LieBesideGapTest, ComparesPlaces) {
    const CanaryGap gap{.offset = 64 * kKib, .length = 64 * kKib, .physical = kMib};
    const std::vector<FileExtent> there = {{0, kMib - 64 * kKib, 64 * kKib},
                                           {128 * kKib, kMib + 64 * kKib, 64 * kKib}};
    EXPECT_TRUE(LieBesideGap(gap, there, 0, 4096));
    EXPECT_TRUE(LieBesideGap(gap, there, 128 * kKib, 64 * kKib));
    EXPECT_FALSE(LieBesideGap(gap, there, 64 * kKib, 4096)) << "a hole";
    EXPECT_FALSE(LieBesideGap(gap, {{0, 7 * kMib, 64 * kKib}}, 0, 4096)) << "moved";
}

}  // namespace
}  // namespace storekeeper
