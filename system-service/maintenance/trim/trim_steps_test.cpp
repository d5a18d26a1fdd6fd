// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/trim_steps.h"

#include <gtest/gtest.h>

namespace storekeeper {
namespace {

constexpr uint64_t kMib = 1 << 20;

TEST(TrimStepsTest, BlockGroupsOfExt4) {
    TrimSteps plan = PlanSteps({.type = "ext4", .options = "rw,discard"}, 4096);
    EXPECT_EQ(128 * kMib, plan.step_bytes);
    EXPECT_EQ(128 * kMib, plan.EndOf(0));
    EXPECT_EQ(256 * kMib, plan.EndOf(128 * kMib));
    EXPECT_FALSE(plan.queued);
}

TEST(TrimStepsTest, GroupsOfOneKibibyteBlocksBeginAtBlockOne) {
    TrimSteps plan = PlanSteps({.type = "ext4"}, 1024);
    EXPECT_EQ(8 * kMib + 1024, plan.EndOf(0));
    EXPECT_EQ(16 * kMib + 1024, plan.EndOf(8 * kMib + 1024));
}

TEST(TrimStepsTest, F2fsAndOthers) {
    TrimSteps f2fs = PlanSteps({.type = "f2fs", .options = "rw,nodiscard"}, 4096);
    EXPECT_EQ(64 * kMib, f2fs.step_bytes);
    // Blocks of a kernel with pages of 16 KiB: a checkpoint writes four times the bytes.
    EXPECT_EQ(256 * kMib, PlanSteps({.type = "f2fs"}, 16384).step_bytes);
    TrimSteps queued = PlanSteps({.type = "f2fs", .options = "rw,discard"}, 4096);
    EXPECT_EQ(0U, queued.step_bytes);
    EXPECT_TRUE(queued.queued);
    TrimSteps other = PlanSteps({.type = "vfat"}, 4096);
    EXPECT_EQ(0U, other.step_bytes);
    EXPECT_EQ(UINT64_MAX, other.EndOf(0));
    EXPECT_FALSE(other.queued);
}

}  // namespace
}  // namespace storekeeper
