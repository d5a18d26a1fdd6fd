// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/wear_thinning.h"

#include <gtest/gtest.h>

#include "history/rows.h"

namespace storekeeper {
namespace {

WearSample At(int64_t day, uint8_t life, uint64_t written = 0) {
    return {.wall = std::chrono::days(day),
            .chip = "chip",
            .source = "sysfs",
            .wear = {.life_time_a = life},
            .filesystem_written_bytes = written};
}

TEST(WearThinningTest, KnowsATurn) {
    const WearSample base = At(10, 1, 100);
    EXPECT_FALSE(IsTurn(base, At(11, 1, 200)));
    EXPECT_TRUE(IsTurn(base, At(11, 2, 200)));
    EXPECT_TRUE(IsTurn(base, At(11, 1, 99)));
    WearSample other = At(11, 1, 200);
    other.filesystem_written_bytes.reset();
    EXPECT_TRUE(IsTurn(base, other));
    other = At(11, 1, 200);
    other.chip = "another";
    EXPECT_TRUE(IsTurn(base, other));
    other = At(11, 1, 200);
    other.wear.pre_eol_info = 1;
    EXPECT_TRUE(IsTurn(base, other));
    other = At(11, 1, 200);
    other.source = "ufs";
    EXPECT_TRUE(IsTurn(base, other));
}

TEST(WearThinningTest, AnotherDayIsNewsTheSameIsNot) {
    EXPECT_FALSE(IsNews(At(10, 1, 5), At(10, 1, 6)));
    EXPECT_TRUE(IsNews(At(10, 1, 5), At(10, 2, 5)));
    EXPECT_TRUE(IsNews(At(10, 1, 5), At(11, 1, 5)));
}

TEST(WearThinningTest, KeepsAWeeksLastAndBothSidesOfATurn) {
    std::vector<WearSample> samples;
    // Weeks begin at days 0, 7, 14 ...; the life moves on between days 9 and 10.
    for (int64_t day = 2; day < 30; ++day) {
        samples.push_back(At(day, day < 10 ? 1 : 2, static_cast<uint64_t>(day)));
    }
    std::vector<int64_t> days;
    for (const size_t place : WeeklyBefore(samples, 26)) {
        days.push_back(DayOf(samples[place].wall));
    }
    EXPECT_EQ((std::vector<int64_t>{2, 6, 9, 10, 13, 20, 26, 27, 28, 29}), days);
}

TEST(WearThinningTest, KeepsEveryTurnAndSpreadsTheOthers) {
    std::vector<WearSample> samples;
    for (int64_t day = 0; day < 1000; ++day) {
        samples.push_back(At(day, static_cast<uint8_t>(1 + day / 100)));
    }
    const std::vector<size_t> places = EvenlyThinned(samples, 100);
    ASSERT_EQ(100, places.size());
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    EXPECT_EQ(0, places.front());
    EXPECT_EQ(999, places.back());
    for (size_t turn = 100; turn < 1000; turn += 100) {
        EXPECT_TRUE(std::binary_search(places.begin(), places.end(), turn - 1));
        EXPECT_TRUE(std::binary_search(places.begin(), places.end(), turn));
    }
    for (size_t i = 1; i < places.size(); ++i) EXPECT_LE(places[i] - places[i - 1], 20);
}

TEST(WearThinningTest, OfTooManyTurnsTheNewestStay) {
    std::vector<WearSample> samples;
    for (int64_t day = 0; day < 100; ++day) {
        samples.push_back(At(day, static_cast<uint8_t>(day % 2)));
    }
    const std::vector<size_t> places = EvenlyThinned(samples, 10);
    ASSERT_EQ(10, places.size());
    EXPECT_EQ(90, places.front());
}

}  // namespace
}  // namespace storekeeper
