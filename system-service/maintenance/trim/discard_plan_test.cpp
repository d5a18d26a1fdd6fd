// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/discard_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "testing/free_space.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::HasSubstr;

constexpr uint64_t kMib = 1 << 20;
constexpr DiscardLimits kLimits{.granularity = kMib / 2, .largest = 199 * kMib / 2};

constexpr int kSlices = 32;
constexpr uint64_t kFree = uint64_t{64} << 30;

struct Pass {
    nanoseconds work{};
    nanoseconds total{};
    nanoseconds longest_discard{};
};

Pass RunPass(DiscardPlan* plan, const FreeSpace& card, bool others_waited = true) {
    Pass pass;
    for (int i = 0; i < kSlices; ++i) {
        pass.longest_discard = std::max(pass.longest_discard, card.cost.Of(plan->bytes()));
        const DiscardSample slice = card.Slice(plan->bytes());
        plan->Add(slice);
        const nanoseconds pause = plan->PauseAfter(slice.took, nanoseconds(0), others_waited);
        plan->AddPause(pause);
        pass.work += slice.took;
        pass.total += slice.took + pause;
    }
    return pass;
}

double Times(nanoseconds a, nanoseconds b) {
    return static_cast<double>(a.count()) / static_cast<double>(b.count());
}

constexpr FreeSpace kCheap{.cost = {.fixed = microseconds(500), .per_mib = microseconds(500)}};
constexpr FreeSpace kDear{.cost = {.fixed = microseconds(500), .per_mib = milliseconds(5)}};
constexpr FreeSpace kSlowStart{.cost = {.fixed = microseconds(1500), .per_mib = milliseconds(3)},
                               .mean_mib = 3};
constexpr FreeSpace kAllFixed{.cost = {.fixed = milliseconds(4)}};

TEST(DiscardPlanTest, APassEndsInTimeOnAnyCard) {
    for (const FreeSpace& card : {kCheap, kDear, kSlowStart, kAllFixed}) {
        DiscardPlan plan(kLimits, {}, std::nullopt);
        const nanoseconds fstrim = card.Slice(kLimits.largest).took * kSlices;
        const Pass pass = RunPass(&plan, card);
        EXPECT_LE(Times(pass.total, fstrim), 6);
        EXPECT_GE(Times(pass.total, fstrim), 3);
        // Others find the disk idle more often than not.
        EXPECT_LE(Times(pass.work, pass.total), 0.46);
        DiscardPlan hurried(kLimits,
                            {.budget = milliseconds(8), .hurry = true, .free_bytes = kFree},
                            plan.measured());
        const Pass hurry = RunPass(&hurried, card);
        EXPECT_EQ(hurry.work, hurry.total);
        EXPECT_LE(Times(hurry.total, fstrim), 1.4);
    }
}

TEST(DiscardPlanTest, SizesAreTheSmallestThatDo) {
    DiscardPlan dear(kLimits, {}, std::nullopt);
    RunPass(&dear, kDear);
    EXPECT_EQ(kMib / 2, dear.bytes());
    EXPECT_EQ("", dear.Binding(dear.bytes()));
    DiscardPlan cheap(kLimits, {}, std::nullopt);
    EXPECT_EQ(kMib / 2, cheap.bytes());
    RunPass(&cheap, kCheap);
    EXPECT_EQ(kMib, cheap.bytes());
    EXPECT_NEAR(1.0, Times(cheap.CostOf(cheap.bytes()), milliseconds(1)), 0.02);
    // The next run begins with it.
    EXPECT_EQ(kMib, DiscardPlan(kLimits, {}, cheap.measured()).bytes());
}

TEST(DiscardPlanTest, SmallGranularityAllowsSmallDiscards) {
    DiscardPlan plan({.granularity = 4096, .largest = 64 * kMib}, {}, std::nullopt);
    RunPass(&plan, {.cost = {.fixed = microseconds(50), .per_mib = milliseconds(20)}});
    EXPECT_EQ(uint64_t{64} << 10, plan.bytes());
    EXPECT_LT(plan.CostOf(plan.bytes()), milliseconds(2));
}

TEST(DiscardPlanTest, NoSizeIsBeyondTheDisk) {
    // Smaller than what we would take; as large as we take at most; no multiple of anything.
    for (const DiscardLimits& limits :
         {DiscardLimits{.granularity = 512, .largest = 32 << 10},
          DiscardLimits{.granularity = 4 * kMib, .largest = 4 * kMib},
          DiscardLimits{.granularity = 3 * kMib, .largest = 300 * kMib},
          DiscardLimits{.granularity = 128 * kMib, .largest = 1280 * kMib}}) {
        for (const FreeSpace& card : {kCheap, kDear, kAllFixed}) {
            DiscardPlan plan(limits, {}, std::nullopt);
            for (int i = 0; i < kSlices; ++i) {
                EXPECT_EQ(0U, plan.bytes() % limits.granularity);
                EXPECT_GE(plan.bytes(), limits.granularity);
                EXPECT_LE(plan.bytes(), std::max(limits.granularity, 64 * kMib));
                EXPECT_LE(plan.bytes(), limits.largest);
                plan.Add(card.Slice(plan.bytes()));
            }
        }
    }
}

TEST(DiscardPlanTest, WholeSegmentsAboveOne) {
    DiscardPlan plan(kLimits,
                     {.hurry = true, .free_bytes = kFree, .slices = {.segment_bytes = 2 * kMib}},
                     std::nullopt);
    EXPECT_EQ(kMib / 2, plan.bytes());
    for (int i = 0; i < kSlices; ++i) {
        plan.Add(kAllFixed.Slice(plan.bytes()));
        EXPECT_TRUE(2 * kMib % plan.bytes() == 0 || plan.bytes() % (2 * kMib) == 0) << plan.bytes();
    }
    EXPECT_GE(plan.bytes(), 2 * kMib);
    // What the device takes comes first.
    EXPECT_EQ(3 * kMib, DiscardPlan({.granularity = 3 * kMib, .largest = 30 * kMib},
                                    {.slices = {.segment_bytes = 2 * kMib}}, std::nullopt)
                                .bytes());
}

TEST(DiscardPlanTest, TheFirstTryKeepsTheBudget) {
    for (const FreeSpace& card : {kCheap, kDear, kSlowStart}) {
        DiscardPlan plan(kLimits, {}, std::nullopt);
        EXPECT_LE(RunPass(&plan, card).longest_discard,
                  std::max(nanoseconds(milliseconds(5)), card.cost.Of(kMib)));
    }
    // From a size that breaks it a smaller one is tried.
    const DiscardLimits small{.granularity = 4096, .largest = 64 * kMib};
    DiscardPlan plan(small, {}, std::nullopt);
    plan.Add(FreeSpace{.cost = {.fixed = milliseconds(1), .per_mib = milliseconds(20)}}.Slice(
            plan.bytes()));
    EXPECT_EQ(kMib / 4, plan.bytes());
    // Where there is none, a larger one.
    DiscardPlan coarse(kLimits, {}, std::nullopt);
    coarse.Add(FreeSpace{.cost = {.fixed = milliseconds(4)}}.Slice(coarse.bytes()));
    EXPECT_EQ(kMib, coarse.bytes());
}

TEST(DiscardPlanTest, TheBudgetCostsTimeUpToALimit) {
    const FreeSpace card{.cost = {.fixed = microseconds(2500), .per_mib = milliseconds(3)},
                         .mean_mib = 16};
    const DiscardLimits limits{.granularity = 4096, .largest = 64 * kMib};
    DiscardPlan ample(limits, {.budget = milliseconds(20)}, std::nullopt);
    DiscardPlan tight(limits, {.budget = milliseconds(5)}, std::nullopt);
    RunPass(&ample, card);
    const Pass pass = RunPass(&tight, card);
    EXPECT_LT(tight.bytes(), ample.bytes());
    EXPECT_EQ("", ample.Binding(ample.bytes()));
    EXPECT_LE(Times(pass.total, card.Slice(limits.largest).took * kSlices), 6);
    // No budget at all takes it no further.
    DiscardPlan none(limits, {.budget = milliseconds(1)}, std::nullopt);
    EXPECT_LE(Times(RunPass(&none, card).total, card.Slice(limits.largest).took * kSlices), 6);
    EXPECT_THAT(none.Binding(none.bytes()),
                HasSubstr("more than the 1 ms allowed: smaller ones would make the "
                          "run too long"));
}

TEST(DiscardPlanTest, ReportsWhatBinds) {
    const DiscardLimits coarse{.granularity = 4 * kMib, .largest = 64 * kMib};
    DiscardPlan plan(coarse, {}, std::nullopt);
    RunPass(&plan, kDear);
    EXPECT_THAT(plan.Binding(plan.bytes()), HasSubstr("a discard of 4096 KiB takes "));
    EXPECT_THAT(plan.Binding(plan.bytes()),
                HasSubstr(", more than the 5 ms allowed: the device takes no smaller ones"));
}

// A run takes a while beside its discards.
TEST(DiscardPlanTest, AShortRunThatHurriesTakesLargerDiscards) {
    uint64_t bytes = 0;
    for (const uint64_t free : {kFree, uint64_t{4} << 30, uint64_t{1} << 30}) {
        DiscardPlan plan(kLimits, {.budget = milliseconds(8), .hurry = true, .free_bytes = free},
                         kCheap.cost);
        RunPass(&plan, kCheap);
        EXPECT_GT(plan.bytes(), bytes);
        EXPECT_LT(plan.CostOf(plan.bytes()), milliseconds(8));
        bytes = plan.bytes();
    }
}

TEST(DiscardPlanTest, AHandfulOfDiscardsChangesNothing) {
    DiscardPlan plan(kLimits, {}, std::nullopt);
    const DiscardSample few{.limit_bytes = plan.bytes(),
                            .discards = 15,
                            .bytes = 15 * kMib / 2,
                            .took = milliseconds(60)};
    plan.Add(few);
    EXPECT_EQ(kMib / 2, plan.bytes());
    EXPECT_EQ(std::nullopt, plan.measured());
    EXPECT_EQ(milliseconds(180), plan.PauseAfter(milliseconds(60), nanoseconds(0), true));
}

TEST(DiscardPlanTest, PausesAreShortWhereNobodyWaited) {
    for (const FreeSpace& card : {kCheap, kDear}) {
        DiscardPlan plan(kLimits, {}, std::nullopt);
        const Pass pass = RunPass(&plan, card, false);
        EXPECT_NEAR(2.2, Times(pass.total, pass.work), 0.01);
    }
    DiscardPlan plan(kLimits, {}, std::nullopt);
    EXPECT_EQ(milliseconds(120), plan.PauseAfter(milliseconds(100), nanoseconds(0), false));
    EXPECT_EQ(milliseconds(300), plan.PauseAfter(milliseconds(100), nanoseconds(0), true));
}

TEST(DiscardPlanTest, ThereIsTimeToWaitForOthersAsLongAsThePassEndsInTime) {
    for (const FreeSpace& card : {kCheap, kDear, kSlowStart}) {
        DiscardPlan plan(kLimits, {}, std::nullopt);
        const nanoseconds fstrim = card.Slice(kLimits.largest).took * kSlices;
        nanoseconds total = RunPass(&plan, card).total;
        EXPECT_TRUE(plan.HasTime());
        for (; plan.HasTime(); total += milliseconds(10)) plan.AddPause(milliseconds(10));
        EXPECT_GE(Times(total, fstrim), 4.7);
        EXPECT_LE(Times(total, fstrim), 5.5);
    }
}

// What the file system pauses itself counts.
TEST(DiscardPlanTest, PausesAreShorterWhereTheSliceHadSome) {
    DiscardPlan plan(kLimits, {}, std::nullopt);
    RunPass(&plan, kCheap);
    plan.AddPause(std::chrono::hours(1));
    const nanoseconds slice = milliseconds(100);
    EXPECT_EQ(milliseconds(138), plan.PauseAfter(slice, nanoseconds(0), true));
    EXPECT_EQ(milliseconds(19), plan.PauseAfter(slice, milliseconds(50), true));
    EXPECT_EQ(milliseconds(0), plan.PauseAfter(slice, milliseconds(90), true));
}

// What is free in the first groups may show too little.
TEST(PostponingPlanTest, NothingIsKnownUntilOneSizeIsFourTimesAnother) {
    DiscardPlan plan(kLimits, {.by_extent = true, .postpones = true}, std::nullopt);
    const auto add = [&](uint64_t mib_halves, milliseconds took) {
        plan.Add({.limit_bytes = mib_halves * kMib / 2,
                  .discards = 1,
                  .bytes = mib_halves * kMib / 2,
                  .took = took,
                  .extents = 1});
    };
    for (int i = 0; i < 10; ++i) add(1, milliseconds(3));
    add(2, milliseconds(5));
    // A single one may have waited for somebody.
    add(4, milliseconds(9));
    EXPECT_FALSE(plan.knows_cost());
    EXPECT_FALSE(plan.MustCut(2 * kMib, kLimits.largest));
    EXPECT_TRUE(plan.MustCut(4 * kMib, kLimits.largest));
    DiscardPlan last = plan;
    add(4, milliseconds(9));
    EXPECT_TRUE(plan.knows_cost());
    // Where nothing shows it one of them must.
    last.NothingShorter();
    EXPECT_FALSE(last.MustCut(4 * kMib, kLimits.largest));
    EXPECT_TRUE(last.MustCut(8 * kMib, kLimits.largest));
    add(4, milliseconds(9));
    last.Add({.limit_bytes = kMib, .discards = 1, .bytes = kMib, .took = milliseconds(5)});
    EXPECT_TRUE(last.knows_cost());
}

// A file system that sleeps 24 ms after each eighth discard, on a card where much is free.
class SleepingPlanTest : public testing::Test {
  protected:
    static DiscardTerms Terms(bool hurry) {
        return {.budget = hurry ? milliseconds(8) : milliseconds(5),
                .hurry = hurry,
                .free_bytes = kFree,
                .slices = {.slice_bytes = 64 * kMib,
                           .segment_bytes = 2 * kMib,
                           .discards_to_sleep = 8,
                           .sleep = milliseconds(24)}};
    }

    static constexpr FreeSpace kLittle{.cost = {.fixed = microseconds(60),
                                                .per_mib = microseconds(90)},
                                       .mean_mib = 500};
    static constexpr FreeSpace kMuch{.cost = {.fixed = milliseconds(2),
                                              .per_mib = microseconds(300)},
                                     .mean_mib = 500};
};

TEST_F(SleepingPlanTest, TheSizeIsTheLargestWithinTheBudget) {
    DiscardPlan plan(kLimits, Terms(false), std::nullopt);
    RunPass(&plan, kLittle);
    EXPECT_LE(plan.CostOf(plan.bytes()), milliseconds(5));
    EXPECT_GT(plan.CostOf(plan.bytes()), milliseconds(3));
}

TEST_F(SleepingPlanTest, NoSizeLetsItSleepForTooLong) {
    DiscardTerms terms = Terms(false);
    terms.budget = microseconds(100);
    DiscardPlan plan(kLimits, terms, std::nullopt);
    RunPass(&plan, kLittle);
    // By the work alone 1 MiB would do, and a slice would sleep eight times.
    EXPECT_GE(plan.bytes(), 6 * kMib);
    DiscardPlan hurry(kLimits, Terms(true), std::nullopt);
    RunPass(&hurry, kLittle);
    EXPECT_GE(hurry.bytes(), 8 * kMib);
}

// Its pauses are 1.9 times the work.
TEST_F(SleepingPlanTest, TheWorkAndItsPausesAreInTime) {
    for (microseconds per_mib(100); per_mib < milliseconds(1); per_mib += microseconds(50)) {
        const FreeSpace card{.cost = {.fixed = milliseconds(3), .per_mib = per_mib},
                             .mean_mib = 16};
        DiscardPlan plan(kLimits, Terms(false), std::nullopt);
        RunPass(&plan, card);
        const double work = Times(card.Slice(plan.bytes()).took, card.Slice(kLimits.largest).took);
        EXPECT_LE(work * 2.9, 6) << per_mib.count() << ": " << (plan.bytes() >> 10) << " KiB";
    }
}

TEST_F(SleepingPlanTest, SlicesHaveFewDiscardsUntilTheSizeIsKnown) {
    DiscardPlan plan(kLimits, Terms(false), std::nullopt);
    ASSERT_EQ(kMib / 2, plan.bytes());
    EXPECT_EQ(2 * kMib, plan.SliceBytes());
    RunPass(&plan, kMuch);
    EXPECT_EQ(64 * kMib, plan.SliceBytes());
    // Of a known card as well, and no longer than then.
    DiscardPlan known(kLimits, Terms(false), kLittle.cost);
    ASSERT_GT(known.bytes(), 32 * kMib);
    EXPECT_EQ(64 * kMib, known.SliceBytes());
}

TEST_F(SleepingPlanTest, SlicesAreLongerWhereFewDiscardsTakeNoTime) {
    const FreeSpace fixed{.cost = {.fixed = microseconds(500)}, .mean_mib = 500};
    DiscardPlan plan(kLimits, Terms(false), std::nullopt);
    RunPass(&plan, fixed);
    ASSERT_EQ(64 * kMib, plan.bytes());
    EXPECT_EQ(7 * 64 * kMib, plan.SliceBytes());
    DiscardPlan hurry(kLimits, Terms(true), std::nullopt);
    RunPass(&hurry, kMuch);
    EXPECT_GT(hurry.SliceBytes(), 64 * kMib);
}

TEST_F(SleepingPlanTest, PausesAreLonger) {
    DiscardPlan plan(kLimits, Terms(false), std::nullopt);
    RunPass(&plan, kMuch);
    plan.AddPause(std::chrono::hours(1));
    EXPECT_EQ(milliseconds(190), plan.PauseAfter(milliseconds(100), nanoseconds(0), true));
    EXPECT_EQ(milliseconds(45), plan.PauseAfter(milliseconds(100), milliseconds(50), true));
}

TEST(DiscardPlanTest, ARememberedCardIsBelievedAsLongAsItIsRight) {
    DiscardPlan plan(kLimits, {}, kCheap.cost);
    // What shows nothing does not count.
    plan.Add({.limit_bytes = plan.bytes(), .took = milliseconds(90)});
    RunPass(&plan, kCheap);
    EXPECT_EQ(kMib, plan.bytes());
    EXPECT_EQ(std::nullopt, plan.measured());
}

TEST(DiscardPlanTest, ARememberedCardIsMeasuredAnew) {
    for (const FreeSpace& card : {kDear, kCheap}) {
        DiscardPlan other(kLimits, {},
                          DiscardCost{.fixed = milliseconds(1), .per_mib = milliseconds(2)});
        RunPass(&other, card);
        EXPECT_NE(std::nullopt, other.measured());
    }
    DiscardPlan plan(kLimits, {},
                     DiscardCost{.fixed = milliseconds(1), .per_mib = milliseconds(9)});
    EXPECT_EQ(std::nullopt, plan.measured());
    RunPass(&plan, kCheap);
    ASSERT_NE(std::nullopt, plan.measured());
    EXPECT_NEAR(1, Times(plan.measured()->fixed, kCheap.cost.fixed), 0.01);
    EXPECT_NEAR(1, Times(plan.measured()->per_mib, kCheap.cost.per_mib), 0.01);
}

// A pass by extent over groups of 64 free extents, as FreeSpace has them, the shortest first.
class ByExtentTest : public testing::Test {
  protected:
    struct Extents {
        nanoseconds work{};
        nanoseconds total{};
        nanoseconds longest_wait{};  // for a discard that is not cut further
        int cut = 0;
        int sizes = 0;  // that were chosen
    };

    static DiscardTerms Terms() { return {.by_extent = true}; }

    static Extents Run(DiscardPlan* plan, const FreeSpace& card, int groups = 4) {
        Extents pass;
        uint64_t queue = kLimits.largest;
        for (int group = 0; group < groups; ++group) {
            for (int i = 0; i < FreeSpace::kExtents; ++i) plan->AddExtents(1, card.Extent(i));
            plan->ChooseKnown();
            for (int i = FreeSpace::kExtents - 1; i >= 0; --i) {
                const uint64_t length = card.Extent(i);
                if (plan->MustCut(length, queue)) {
                    queue = plan->bytes();
                    ++pass.sizes;
                }
                const uint64_t discards = plan->DiscardsOf(length, queue);
                pass.cut += discards > 1 ? 1 : 0;
                const uint64_t longest = std::min(length, queue);
                pass.longest_wait = std::max(pass.longest_wait, card.cost.Of(longest));
                const nanoseconds took = card.cost.fixed * static_cast<int64_t>(discards) +
                                         card.cost.Of(length) - card.cost.fixed;
                uint64_t shown = queue;
                while (shown / 2 >= length) shown /= 2;
                plan->Add({.limit_bytes = shown,
                           .discards = discards,
                           .bytes = length,
                           .took = took,
                           .extents = 1});
                const nanoseconds pause = plan->PauseAfter(took, nanoseconds(0), true);
                plan->AddPause(pause);
                pass.work += took;
                pass.total += took + pause;
            }
        }
        return pass;
    }

    static DiscardSample Canary(const FreeSpace& card) {
        return {.limit_bytes = kMib / 2,
                .discards = 1,
                .bytes = kMib / 2,
                .took = card.cost.Of(kMib / 2),
                .extents = 1};
    }
};

TEST_F(ByExtentTest, APassEndsInTimeAndLeavesTheDiskIdleMostly) {
    for (const FreeSpace& card : {kCheap, kDear, kSlowStart, kAllFixed}) {
        for (const bool is_seen : {false, true}) {
            DiscardPlan plan(kLimits, Terms(), std::nullopt);
            if (is_seen) plan.Learn(Canary(card));
            const Extents pass = Run(&plan, card);
            const nanoseconds fstrim = card.Slice(kLimits.largest).took * 4;
            EXPECT_LE(Times(pass.total, fstrim), 5.5);
            EXPECT_GE(Times(pass.total, fstrim), 3);
            EXPECT_LE(Times(pass.work, pass.total), 0.43);
        }
    }
}

TEST_F(ByExtentTest, WhatIsWithinTheBudgetIsNotCut) {
    FreeSpace card = kCheap;
    card.mean_mib = 2;
    DiscardPlan plan(kLimits, Terms(), std::nullopt);
    plan.Learn(Canary(card));
    const Extents pass = Run(&plan, card);
    // 9 MiB take 5 ms; less than twice the size is not worth a change.
    EXPECT_GE(plan.bytes(), 5 * kMib);
    EXPECT_LE(plan.bytes(), 9 * kMib);
    EXPECT_LE(pass.sizes, 2);
    EXPECT_LE(pass.longest_wait, milliseconds(16));
    // Nothing is changed for extents that are shorter than that.
    DiscardPlan quiet(kLimits, Terms(), plan.measured());
    card.mean_mib = 1;
    const Extents again = Run(&quiet, card);
    EXPECT_EQ(0, again.sizes);
    EXPECT_EQ(0, again.cut);
}

// Most of what is free would be chains of several discards anyway.
TEST_F(ByExtentTest, WhereMostMustBeCutDiscardsAreShort) {
    DiscardPlan dear(kLimits, Terms(), std::nullopt);
    dear.Learn(Canary(kDear));
    Run(&dear, kDear);
    EXPECT_LE(dear.bytes(), kMib);
    // The largest within the budget serves as long as few extents are known.
    DiscardPlan first(kLimits, Terms(), DiscardCost{milliseconds(1), microseconds(500)});
    first.AddExtents(2, 4 * kMib);
    first.AddExtents(1, 8 * kMib);
    first.ChooseKnown();
    EXPECT_GE(first.bytes(), 6 * kMib);
    first.AddExtents(60, 12 * kMib);
    first.ChooseKnown();
    EXPECT_LE(first.bytes(), 4 * kMib);
    // Where nothing is known nothing follows from lengths alone.
    DiscardPlan unknown(kLimits, Terms(), std::nullopt);
    unknown.AddExtents(2, 4 * kMib);
    unknown.ChooseKnown();
    EXPECT_EQ(kMib / 2, unknown.bytes());
}

TEST_F(ByExtentTest, ACardThatIsNotKnownIsExploredWithCare) {
    DiscardPlan plan(kLimits, Terms(), std::nullopt);
    // Nothing was seen yet.
    EXPECT_TRUE(plan.MustCut(kMib, kLimits.largest));
    EXPECT_FALSE(plan.MustCut(kMib / 2, kLimits.largest));
    plan.Learn(Canary(kCheap));
    // 0.75 ms a half MiB: at most 1.5 ms a MiB.
    EXPECT_FALSE(plan.MustCut(10 * kMib, kLimits.largest));
    EXPECT_TRUE(plan.MustCut(11 * kMib, kLimits.largest));
    // A size that is known serves at once.
    DiscardPlan known(kLimits, Terms(), kCheap.cost);
    EXPECT_TRUE(known.MustCut(10 * kMib, kLimits.largest));
}

// Of a card that takes 3.4 ms for a discard of any size, with files written meanwhile: the larger
// ones waited for more of those.
TEST_F(ByExtentTest, TwoSizesThatAreCloseShowNoFixedPart) {
    DiscardTerms terms = Terms();
    terms.free_bytes = 3174 * kMib;
    DiscardPlan plan(kLimits, terms, std::nullopt);
    plan.AddExtents(60, 48 * kMib);
    const auto add = [&plan](uint64_t discards, uint64_t kib, int microseconds_taken) {
        plan.Add({.limit_bytes = plan.bytes(),
                  .discards = discards,
                  .bytes = kib << 10,
                  .took = microseconds(microseconds_taken),
                  .extents = 1});
    };
    EXPECT_EQ(kMib / 2, plan.bytes());
    add(9, 3856, 27871);
    EXPECT_EQ(kMib, plan.bytes());
    add(54, 54032, 223077);
    EXPECT_EQ(4 * kMib, plan.bytes());
    add(12, 48 << 10, 43000);
    EXPECT_GE(plan.bytes(), 32 * kMib);
}

TEST_F(ByExtentTest, ACardWhoseCostGrowsWithTheSizeIsTriedNoFurther) {
    // Of the second one 4 MiB would take 21 ms.
    for (const DiscardCost& cost : {kDear.cost, DiscardCost{milliseconds(5), milliseconds(4)}}) {
        DiscardPlan plan(kLimits, Terms(), std::nullopt);
        plan.AddExtents(60, 48 * kMib);
        for (int i = 0; i < 8; ++i) {
            EXPECT_LE(plan.bytes(), kMib);
            const auto discards = static_cast<int64_t>(plan.DiscardsOf(48 * kMib, plan.bytes()));
            plan.Add({.limit_bytes = plan.bytes(),
                      .discards = static_cast<uint64_t>(discards),
                      .bytes = 48 * kMib,
                      .took = cost.fixed * discards + cost.per_mib * 48,
                      .extents = 1});
        }
    }
}

// The queue is stopped to change it.
TEST_F(ByExtentTest, FewExtentsThatBreakTheBudgetByALittleAreNotCut) {
    DiscardTerms terms = Terms();
    terms.free_bytes = 100 * kMib;
    DiscardPlan plan(kLimits, terms, kCheap.cost);
    // 5 ms are 9 MiB. Nothing says how many there are.
    EXPECT_FALSE(plan.MustCut(9 * kMib, kLimits.largest));
    EXPECT_TRUE(plan.MustCut(20 * kMib, kLimits.largest));
    // 10.5 ms.
    plan.AddExtents(1, 20 * kMib);
    plan.AddExtents(80, kMib);
    EXPECT_FALSE(plan.MustCut(20 * kMib, kLimits.largest));
    EXPECT_THAT(plan.Binding(20 * kMib), HasSubstr("to cut it would keep others waiting for "));
    // 20.5 ms.
    EXPECT_TRUE(plan.MustCut(40 * kMib, kLimits.largest));
    // They will be 10 times as many.
    terms.free_bytes = 1000 * kMib;
    DiscardPlan many(kLimits, terms, kCheap.cost);
    many.AddExtents(1, 20 * kMib);
    many.AddExtents(80, kMib);
    EXPECT_TRUE(many.MustCut(20 * kMib, kLimits.largest));
}

TEST_F(ByExtentTest, WhatTheDeviceCutsByItselfIsCutNoFurtherWithinTheBudget) {
    constexpr DiscardLimits kSmall{.granularity = kMib / 2, .largest = 8 * kMib};
    DiscardPlan plan(kSmall, Terms(), kCheap.cost);
    plan.AddExtents(100, kMib);
    plan.ChooseKnown();
    EXPECT_FALSE(plan.MustCut(64 * kMib, kSmall.largest));
    // A queue that cuts too small is changed for extents that it would cut.
    EXPECT_TRUE(plan.MustCut(64 * kMib, kMib));
    EXPECT_FALSE(plan.MustCut(kMib, kMib));
}

TEST_F(ByExtentTest, GoesOnBySliceWhereExtentsAreNotReported) {
    DiscardPlan plan(kLimits, Terms(), std::nullopt);
    plan.NotByExtent();
    const Pass pass = RunPass(&plan, kCheap);
    EXPECT_LE(Times(pass.work, pass.total), 0.46);
    DiscardPlan slices(kLimits, {}, std::nullopt);
    RunPass(&slices, kCheap);
    EXPECT_EQ(slices.bytes(), plan.bytes());
}

}  // namespace
}  // namespace storekeeper
