// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/forecast_score.h"

#include <gtest/gtest.h>

#include <string>

namespace storekeeper {
namespace {

// The short form of `make bench-forecast`: with 80 phones, a standard deviation is 4 points.
constexpr int kPhones = 80;
constexpr uint64_t kSeed = 3;

struct Bound {
    const char* name;
    LifeCase life_case;
    int covered_pct;
    double width;
};

class ForecastScoreTest : public testing::TestWithParam<Bound> {};

TEST_P(ForecastScoreTest, RangesHoldAsManyAsTheySayAndAreNarrow) {
    for (const LifeGenerator& lives : kLifeGenerators) {
        const ForecastScore score = ScoreForecasts(lives, GetParam().life_case, kSeed, kPhones);
        EXPECT_EQ(kPhones, score.phones) << lives.name;
        EXPECT_GE(score.ranges, kPhones * 85 / 100) << lives.name;
        EXPECT_GE(score.covered, score.ranges * GetParam().covered_pct / 100) << lives.name;
        EXPECT_LE(score.median_width, GetParam().width) << lives.name;
        EXPECT_GE(score.not_before, kPhones / 4) << lives.name;
        EXPECT_LE(score.broken, score.not_before * 4 / 100) << lives.name;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ForecastScoreTest,
                         testing::Values(Bound{"Steady", LifeCase::kSteady, 74, 0.40},
                                         Bound{"Drift", LifeCase::kDrift, 72, 0.45},
                                         Bound{"Bursts", LifeCase::kBursts, 74, 1},
                                         Bound{"Change", LifeCase::kChange, 40, 1.2},
                                         Bound{"Habits", LifeCase::kHabits, 60, 1.2}),
                         [](const auto& row) { return row.param.name; });

TEST(LivesTest, TheSameSeedIsTheSameLife) {
    for (const LifeGenerator& lives : kLifeGenerators) {
        const Life life = lives.draw(LifeCase::kBursts, LifeStage::kMiddle, 1);
        const Life again = lives.draw(LifeCase::kBursts, LifeStage::kMiddle, 1);
        const Life other = lives.draw(LifeCase::kBursts, LifeStage::kMiddle, 2);
        EXPECT_EQ(life.left, again.left);
        EXPECT_EQ(life.samples.size(), again.samples.size());
        EXPECT_NE(life.left, other.left);
        EXPECT_EQ(life.now, life.samples.back().wall);
    }
}

}  // namespace
}  // namespace storekeeper
