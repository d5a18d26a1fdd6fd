// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/wear_model.h"

#include <gtest/gtest.h>

#include <cmath>

namespace storekeeper {
namespace {

// Edges from 10 % on at these byte values, each known to within `blur`.
WearSeen At(const std::vector<double>& places, double certain, double blur = 0.1) {
    WearSeen seen{.certain = certain};
    for (double place : places) {
        seen.edges.push_back({.pct = 10.0 * static_cast<double>(seen.edges.size() + 1),
                              .low = place - blur / 2,
                              .high = place + blur / 2});
    }
    return seen;
}

TEST(WearModelTest, EvenStepsGoOn) {
    const WearOutlook wear = LearnWear(At({50, 150, 250, 350, 450}, 451), {});
    EXPECT_NEAR(100, wear.step.mean, 5);
    EXPECT_NEAR(950, wear.end.mean, 30);
    EXPECT_GT(wear.end.deviation, 5);
    EXPECT_LT(wear.end.deviation, 50);
}

TEST(WearModelTest, StepsThatDifferLeaveTheEndLessSure) {
    const WearOutlook even = LearnWear(At({50, 150, 250, 350, 450}, 451), {});
    const WearOutlook uneven = LearnWear(At({50, 120, 250, 390, 450}, 451), {});
    EXPECT_GT(uneven.step.deviation, 1.5 * even.step.deviation);
    EXPECT_GT(uneven.end.deviation, 1.5 * even.end.deviation);
}

TEST(WearModelTest, ALongerHistoryMakesTheEndSurer) {
    const WearOutlook two = LearnWear(At({50, 150}, 151), {});
    const WearOutlook six = LearnWear(At({50, 150, 250, 350, 450, 550}, 551), {});
    EXPECT_LT(six.end.deviation, two.end.deviation / 2);
}

TEST(WearModelTest, EdgesThatAreNotKnownWellSayLess) {
    const WearOutlook sharp = LearnWear(At({50, 150, 250}, 251), {});
    const WearOutlook blurred = LearnWear(At({50, 150, 250}, 251, 80), {});
    EXPECT_GT(blurred.end.deviation, sharp.end.deviation);
}

TEST(WearModelTest, StepsThatGetShorterGoOnDoingSo) {
    const WearOutlook even = LearnWear(At({100, 200, 300, 400, 500}, 501), {});
    const WearOutlook shorter = LearnWear(At({112, 218, 318, 412, 500}, 501), {});
    EXPECT_LT(shorter.end.mean, even.end.mean - 20);
}

TEST(WearModelTest, AStepThatIsBegunCounts) {
    const std::vector<double> places = {50, 150, 250};
    const WearOutlook begun = LearnWear(At(places, 260), {});
    const WearOutlook late = LearnWear(At(places, 360), {});
    const WearOutlook much_too_late = LearnWear(At(places, 2000), {});
    EXPECT_GT(late.end.mean, begun.end.mean);
    EXPECT_GT(late.step.mean, begun.step.mean);
    // 70 % are left, and their first 10 % have already taken this long.
    EXPECT_GT(much_too_late.end.mean, 2000 + 6 * 100);
    EXPECT_TRUE(std::isfinite(much_too_late.end.deviation));
}

TEST(WearModelTest, TheStepThatWasBegunBeforeCounts) {
    // The first complete step is longer than the observed part of the step before it.
    const WearOutlook half = LearnWear(At({50, 150}, 151), {});
    const WearOutlook more = LearnWear(At({130, 230}, 231), {});
    EXPECT_GT(more.step.mean, half.step.mean);
}

TEST(WearModelTest, APriorStandsForStepsThatWereNotSeen) {
    const Normal prior{.mean = 100, .deviation = 10};
    // Nothing was observed of a new chip: it starts anywhere within its first step.
    const WearOutlook fresh = LearnWear({.certain = 1}, prior);
    EXPECT_NEAR(950, fresh.end.mean, 100);
    EXPECT_NEAR(100, fresh.end.deviation, 40);
    const WearOutlook half = LearnWear({.begun_pct = 50, .certain = 1}, prior);
    EXPECT_NEAR(450, half.end.mean, 60);
    // Observations outweigh the prior.
    const WearOutlook other =
            LearnWear(At({100, 300, 500, 700, 900}, 901), Normal{.mean = 100, .deviation = 40});
    EXPECT_GT(other.step.mean, 150);
    const WearOutlook alike = LearnWear(At({50, 150}, 151), prior);
    EXPECT_LT(alike.end.deviation, LearnWear(At({50, 150}, 151), {}).end.deviation);
}

TEST(WearModelTest, GarbageHasAnAnswer) {
    const WearOutlook nothing = LearnWear(At({0, 0, 0}, 0, 0), {});
    EXPECT_TRUE(std::isfinite(nothing.end.mean));
    EXPECT_TRUE(std::isfinite(nothing.end.deviation));
    const WearOutlook huge = LearnWear(At({1, 2, 1e19}, 1.8e19, 0), {});
    EXPECT_TRUE(std::isfinite(huge.end.mean));
    EXPECT_TRUE(std::isfinite(huge.end.deviation));
}

}  // namespace
}  // namespace storekeeper
