// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/use_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/wear_history.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr double kGib = static_cast<double>(WearHistory::kGib);

android::base::Result<UseModel> After(int days, const WearHistory::DailyGib& gib) {
    WearHistory phone({.bytes_per_step = std::vector<double>(10, 1e6 * kGib)});
    phone.Run(days, gib, 5);
    return UseModel::FromLedger(BuildLedger(phone.samples));
}

TEST(UseModelTest, ConstantUseIsForecastToContinue) {
    const android::base::Result<UseModel> use = After(200, [](int) { return 10; });
    ASSERT_TRUE(use.ok());
    for (double days : {1.0, 100.0, 3000.0}) {
        EXPECT_NEAR(10 * kGib, use->BytesPerDay(days).mean, 0.1 * kGib);
        EXPECT_LT(use->BytesPerDay(days).deviation, kGib);
    }
}

TEST(UseModelTest, WeeksThatDifferLeaveItLessSure) {
    const auto even = After(400, [](int day) { return day / 7 % 2 == 0 ? 9 : 11; });
    const auto uneven = After(400, [](int day) { return day / 100 % 2 == 0 ? 5 : 15; });
    ASSERT_TRUE(even.ok() && uneven.ok());
    EXPECT_LT(5 * even->BytesPerDay(500).deviation, uneven->BytesPerDay(500).deviation);
}

TEST(UseModelTest, ASpellGoesOnForSomeTimeAndNotForEver) {
    const auto heavy_now = After(420, [](int day) { return day / 60 % 2 == 0 ? 15 : 5; });
    ASSERT_TRUE(heavy_now.ok());
    // The last 60 days had 15 GiB a day, in the last of seven spells.
    const double soon = heavy_now->BytesPerDay(7).mean;
    const double later = heavy_now->BytesPerDay(2000).mean;
    EXPECT_GT(soon, later);
    EXPECT_NEAR(10 * kGib, later, 2 * kGib);
    EXPECT_GT(heavy_now->BytesPerDay(28).deviation, 0);
}

TEST(UseModelTest, MoreWeeksMakeItSurer) {
    const auto noise = [](int day) { return WearHistory::Random(day).Between(1, 20); };
    const auto few = After(50, noise);
    const auto many = After(1000, noise);
    ASSERT_TRUE(few.ok() && many.ok());
    EXPECT_LT(many->BytesPerDay(500).deviation, few->BytesPerDay(500).deviation);
}

TEST(UseModelTest, SaysWhyThereIsNone) {
    EXPECT_THAT(UseModel::FromLedger({}).error().message(),
                HasSubstr("does not report bytes written"));
    EXPECT_THAT(After(40, [](int) { return 10; }).error().message(),
                HasSubstr("less than 6 weeks"));
    EXPECT_THAT(After(100, [](int) { return 0.0001; }).error().message(),
                HasSubstr("almost no writes"));
}

}  // namespace
}  // namespace storekeeper
