// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// What a plan makes of discards that waited for others' requests.

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

#include "maintenance/trim/discard_plan.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr uint64_t kMib = 1 << 20;
constexpr DiscardLimits kLimits{.granularity = kMib / 2, .largest = 199 * kMib / 2};

TEST(WaitingPlanTest, ADiscardThatWaitedForOthersIsNotCounted) {
    DiscardPlan plan(kLimits, {.by_extent = true}, std::nullopt);
    const DiscardSample one{.limit_bytes = kMib / 2,
                            .discards = 1,
                            .bytes = kMib / 2,
                            .took = milliseconds(1),
                            .extents = 1};
    DiscardSample waited = one;
    waited.took = milliseconds(20);
    waited.waited = true;
    EXPECT_TRUE(plan.IsNoticed(kMib));
    for (int i = 0; i < 3; ++i) plan.Add(one);
    for (int i = 0; i < 8; ++i) plan.Add(waited);
    EXPECT_EQ(kMib / 2, plan.bytes());
    EXPECT_EQ(milliseconds(1), plan.CostOf(kMib / 2));
    EXPECT_TRUE(plan.IsNoticed(kMib / 2));
    EXPECT_FALSE(plan.IsNoticed(kMib / 4));
    // So many in turn are what there is to see.
    plan.Add(waited);
    EXPECT_NE(kMib / 2, plan.bytes());
}

// Of a card that takes 3.4 ms for a discard of any size: extents that were cut by a guess.
TEST(WaitingPlanTest, AChainOfManyDiscardsShowsWhatTheyTakeWhoeverCame) {
    DiscardPlan plan(kLimits, {.by_extent = true}, std::nullopt);
    plan.AddExtents(60, 50 * kMib);
    const auto add_chain = [&plan] {
        const uint64_t discards = 50 * kMib / plan.bytes();
        plan.Add({.limit_bytes = plan.bytes(),
                  .discards = discards,
                  .bytes = 50 * kMib,
                  .took = milliseconds(4) * static_cast<int64_t>(discards),
                  .extents = 1,
                  .waited = true});
    };
    add_chain();
    EXPECT_GT(plan.bytes(), kMib / 2);
    for (int i = 0; i < 3; ++i) add_chain();
    EXPECT_GE(plan.bytes(), 4 * kMib);
}

TEST(WaitingPlanTest, ARememberedCardIsBelievedWhereDiscardsWaitedForOthers) {
    const DiscardCost known{.fixed = milliseconds(1), .per_mib = milliseconds(1)};
    DiscardPlan alone(kLimits, {.by_extent = true}, known);
    DiscardPlan among_others(kLimits, {.by_extent = true}, known);
    DiscardPlan never_alone(kLimits, {.by_extent = true}, known);
    const uint64_t remembered = never_alone.bytes();
    for (int i = 0; i < 16; ++i) {
        DiscardSample one{.limit_bytes = kMib,
                          .discards = 1,
                          .bytes = kMib,
                          .took = known.Of(kMib),
                          .extents = 1};
        alone.Add(one);
        among_others.Add(one);
        one.took += milliseconds(20);
        one.waited = true;
        among_others.Add(one);
        never_alone.Add(one);
        // No other size is tried for that.
        if (i < 12) EXPECT_EQ(remembered, never_alone.bytes());
    }
    EXPECT_EQ(alone.bytes(), among_others.bytes());
    EXPECT_EQ(known, among_others.measured().value_or(known));
}

// Of a file system that sleeps the first slices are short, and a checkpoint is among their
// requests.
TEST(WaitingPlanTest, AFewDiscardsAreNoReasonToDoubtWhatIsKnown) {
    DiscardPlan plan(kLimits,
                     {.free_bytes = uint64_t{4} << 30,
                      .slices = {.slice_bytes = 64 * kMib,
                                 .segment_bytes = 2 * kMib,
                                 .discards_to_sleep = 8,
                                 .sleep = milliseconds(24)}},
                     DiscardCost{.fixed = milliseconds(3), .per_mib = microseconds(195)});
    const auto add = [&plan](uint64_t discards, milliseconds took, bool waited) {
        plan.Add({.limit_bytes = plan.bytes(),
                  .discards = discards,
                  .bytes = discards * plan.bytes(),
                  .took = took,
                  .waited = waited});
    };
    add(3, milliseconds(25), false);
    const uint64_t before = plan.bytes();
    add(20, milliseconds(100), true);
    EXPECT_GE(plan.bytes(), before);
    EXPECT_TRUE(plan.is_settled());
    // Many are: another size is tried.
    add(20, milliseconds(400), false);
    EXPECT_LT(plan.bytes(), before);
}

}  // namespace
}  // namespace storekeeper
