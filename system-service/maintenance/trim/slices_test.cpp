// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/slices.h"

#include <gtest/gtest.h>

namespace storekeeper {
namespace {

constexpr uint64_t kMib = 1 << 20;

TEST(SlicesTest, BlockGroupsOfExt4) {
    SlicePlan plan = PlanSlices({.type = "ext4", .options = "rw,discard"}, 4096);
    EXPECT_EQ(128 * kMib, plan.slice_bytes);
    EXPECT_EQ(128 * kMib, plan.EndOf(0));
    EXPECT_EQ(256 * kMib, plan.EndOf(128 * kMib));
    EXPECT_EQ(128 * kMib, plan.BeginOf(255 * kMib));
    EXPECT_FALSE(plan.queued);
}

TEST(SlicesTest, GroupsOfOneKibibyteBlocksBeginAtBlockOne) {
    SlicePlan plan = PlanSlices({.type = "ext4"}, 1024);
    EXPECT_EQ(8 * kMib + 1024, plan.EndOf(0));
    EXPECT_EQ(16 * kMib + 1024, plan.EndOf(8 * kMib + 1024));
    EXPECT_EQ(0U, plan.BeginOf(8 * kMib));
    EXPECT_EQ(8 * kMib + 1024, plan.BeginOf(8 * kMib + 1024));
    EXPECT_EQ(8 * kMib + 1024, plan.BeginOf(16 * kMib + 1023));
}

TEST(SlicesTest, F2fsAndOthers) {
    SlicePlan f2fs = PlanSlices({.type = "f2fs", .options = "rw,nodiscard"}, 4096);
    EXPECT_EQ(64 * kMib, f2fs.slice_bytes);
    EXPECT_EQ(8U, f2fs.discards_to_sleep);
    SlicePlan queued = PlanSlices({.type = "f2fs", .options = "rw,discard"}, 4096);
    EXPECT_EQ(0U, queued.slice_bytes);
    EXPECT_TRUE(queued.queued);
    SlicePlan other = PlanSlices({.type = "vfat"}, 4096);
    EXPECT_EQ(0U, other.slice_bytes);
    EXPECT_EQ(UINT64_MAX, other.EndOf(0));
    EXPECT_EQ(0U, other.BeginOf(UINT64_MAX));
    EXPECT_FALSE(other.queued);
}

}  // namespace
}  // namespace storekeeper
