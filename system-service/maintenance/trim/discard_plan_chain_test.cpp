// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Discards between which nothing can be paused: a synced write waits for two of them in turn.

#include <gtest/gtest.h>

#include <chrono>

#include "maintenance/trim/discard_plan.h"
#include "testing/free_space.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr uint64_t kMib = 1 << 20;
constexpr DiscardLimits kLimits{.granularity = kMib / 2, .largest = 199 * kMib / 2};

TEST(ChainPlanTest, TwoDiscardsOfAnExtentTakeLittleMoreThanTheBudget) {
    const DiscardCost card{.fixed = milliseconds(2), .per_mib = microseconds(675)};
    DiscardPlan chains(kLimits, {.by_extent = true}, card);
    chains.AddExtents(100, 40 * kMib);
    chains.ChooseKnown();
    EXPECT_LE(chains.CostOf(chains.bytes()), milliseconds(4));
    // No more than 2.2 times the work.
    EXPECT_LE(chains.CostOf(chains.bytes()) * static_cast<int64_t>(40 * kMib / chains.bytes()),
              chains.CostOf(40 * kMib) * 22 / 10);
    // Who cuts extents of two such sizes with a smaller one has three.
    DiscardPlan pairs(kLimits, {.by_extent = true}, card);
    pairs.AddExtents(100, 8 * kMib);
    pairs.ChooseKnown();
    EXPECT_GE(pairs.CostOf(pairs.bytes()), microseconds(4200));
}

// From one unit of the granularity to two.
TEST(ChainPlanTest, ASizeThatMakesTooManyDiscardsGrows) {
    const DiscardCost card{.fixed = microseconds(3600), .per_mib = microseconds(570)};
    DiscardPlan plan({.granularity = 2 * kMib, .largest = 98 * kMib}, {.by_extent = true}, card);
    // Of the first group, whose extents are hardly longer than that.
    plan.AddExtents(40, 3 * kMib);
    plan.ChooseKnown();
    ASSERT_EQ(2 * kMib, plan.bytes());
    const auto add = [&](uint64_t extent) {
        const uint64_t discards = plan.DiscardsOf(extent, plan.bytes());
        plan.Add(
                {.limit_bytes = plan.bytes(),
                 .discards = discards,
                 .bytes = extent,
                 .took = card.fixed * static_cast<int64_t>(discards) + card.Of(extent) - card.fixed,
                 .extents = 1});
    };
    for (int i = 0; i < 40; ++i) add(3 * kMib);
    EXPECT_EQ(2 * kMib, plan.bytes());
    plan.AddExtents(40, 20 * kMib);
    add(20 * kMib);
    EXPECT_GE(plan.bytes(), 4 * kMib);
}

// Of a file system that sleeps 24 ms after each eighth discard.
TEST(ChainPlanTest, WhereItCostsLittleTwoDiscardsOfASliceDoAsWell) {
    const auto chosen = [](const DiscardCost& cost) {
        const FreeSpace card{.cost = cost, .mean_mib = 500};
        DiscardPlan plan(kLimits,
                         {.free_bytes = uint64_t{64} << 30,
                          .slices = {.slice_bytes = 64 * kMib,
                                     .segment_bytes = 2 * kMib,
                                     .discards_to_sleep = 8,
                                     .sleep = milliseconds(24)}},
                         cost);
        for (int i = 0; i < 10; ++i) plan.Add(card.Slice(plan.bytes()));
        return cost.Of(plan.bytes());
    };
    const microseconds fixed(78);
    EXPECT_LE(chosen({.fixed = fixed, .per_mib = microseconds(208)}), microseconds(3300));
    // It would be more work, or the file system sleeps, for both, or there is one discard a slice.
    EXPECT_GE(chosen({.fixed = microseconds(1750), .per_mib = microseconds(155)}), milliseconds(4));
    EXPECT_GE(chosen({.fixed = milliseconds(3), .per_mib = microseconds(200)}), milliseconds(4));
    EXPECT_GE(chosen({.fixed = fixed, .per_mib = microseconds(400)}), milliseconds(4));
    EXPECT_GE(chosen({.fixed = fixed, .per_mib = microseconds(60)}), microseconds(3900));
}

}  // namespace
}  // namespace storekeeper
