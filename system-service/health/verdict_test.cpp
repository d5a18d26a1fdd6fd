// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/verdict.h"

#include <gtest/gtest.h>

#include "health/forecast.h"

namespace storekeeper {
namespace {

using Level = Verdict::Level;

struct Case {
    const char* name;
    WearReading reading;
    const char* line;
    Level level;
    std::optional<int> from;
    std::optional<int> to;
};

class VerdictTest : public testing::TestWithParam<Case> {};

TEST_P(VerdictTest, Judges) {
    Verdict verdict = JudgeWear(GetParam().reading);
    EXPECT_EQ(GetParam().line, verdict.line);
    EXPECT_EQ(NameOf(GetParam().level), NameOf(verdict.level));
    EXPECT_EQ(GetParam().from, verdict.used_from_pct);
    EXPECT_EQ(GetParam().to, verdict.used_to_pct);
}

WearReading Wear(std::optional<uint8_t> a, std::optional<uint8_t> b, std::optional<uint8_t> pre_eol,
                 std::optional<uint8_t> rev = 8) {
    return {.ext_csd_rev = rev, .life_time_a = a, .life_time_b = b, .pre_eol_info = pre_eol};
}

TEST(CriticalHealthTest, IsUrgentAndSaysSo) {
    Verdict verdict = JudgeWear({.life_time_a = 1, .life_time_b = 1, .pre_eol_info = 1});
    const std::string line = verdict.line;
    AddCriticalHealth(std::nullopt, &verdict);
    AddCriticalHealth(0, &verdict);
    EXPECT_EQ(Level::kGood, verdict.level);
    EXPECT_EQ(line, verdict.line);
    AddCriticalHealth(1, &verdict);
    EXPECT_EQ(Level::kUrgent, verdict.level);
    EXPECT_EQ(line + "; the chip reports critical health", verdict.line);
}

INSTANTIATE_TEST_SUITE_P(
        All, VerdictTest,
        testing::Values(
                Case{"New", Wear(1, 1, 1),
                     "Storage life: 0-10 % used (90-100 % left), pre-EOL normal", Level::kGood, 0,
                     10},
                Case{"TheWorseTypeCounts", Wear(2, 8, 1),
                     "Storage life: 70-80 % used (20-30 % left), pre-EOL normal", Level::kGood, 70,
                     80},
                Case{"From80OnAWarning", Wear(9, 1, 1),
                     "Storage life: 80-90 % used (10-20 % left), pre-EOL normal", Level::kWarning,
                     80, 90},
                Case{"LastStep", Wear(10, 10, 1),
                     "Storage life: 90-100 % used (0-10 % left), pre-EOL normal", Level::kWarning,
                     90, 100},
                Case{"PastItsLifeThoughPreEolNormal", Wear(11, 1, 1),
                     "Storage life: 100 % used (past its rated life), pre-EOL normal",
                     Level::kUrgent, 100, 100},
                Case{"PreEolWarning", Wear(1, 1, 2),
                     "Storage life: 0-10 % used (90-100 % left), pre-EOL warning, 80 % of the "
                     "reserve blocks used",
                     Level::kWarning, 0, 10},
                Case{"PreEolUrgent", Wear(1, 1, 3),
                     "Storage life: 0-10 % used (90-100 % left), pre-EOL urgent", Level::kUrgent, 0,
                     10},
                Case{"OneTypeOnly", Wear(3, 0, 1),
                     "Storage life: 20-30 % used (70-80 % left), pre-EOL normal", Level::kGood, 20,
                     30},
                Case{"NotDefinedIsNotUnused",
                     Wear(0, 0, 0),
                     "Storage life: not reported, pre-EOL not reported",
                     Level::kUnknown,
                     {},
                     {}},
                Case{"ReservedValues",
                     Wear(12, 255, 4),
                     "Storage life: not reported, pre-EOL not reported",
                     Level::kUnknown,
                     {},
                     {}},
                Case{"OldRevision",
                     Wear(1, 1, 1, 6),
                     "Storage life: not reported (EXT_CSD_REV 6; reported from 7, "
                     "eMMC 5.0, "
                     "on)",
                     Level::kUnknown,
                     {},
                     {}},
                Case{"RevisionUnknownButWearReported", Wear(1, 1, 1, {}),
                     "Storage life: 0-10 % used (90-100 % left), pre-EOL normal", Level::kGood, 0,
                     10},
                Case{"Nothing",
                     {},
                     "Storage life: not reported, pre-EOL not reported",
                     Level::kUnknown,
                     {},
                     {}},
                Case{"PreEolAlone",
                     Wear({}, {}, 3),
                     "Storage life: not reported, pre-EOL urgent",
                     Level::kUrgent,
                     {},
                     {}},
                Case{"PreEolAloneIsNoProofOfLife",
                     Wear({}, {}, 1),
                     "Storage life: not reported, pre-EOL normal",
                     Level::kUnknown,
                     {},
                     {}},
                Case{"PreEolAloneWarns",
                     Wear(0, 0, 2),
                     "Storage life: not reported, pre-EOL warning, 80 % of the reserve blocks used",
                     Level::kWarning,
                     {},
                     {}}),
        [](const auto& row) { return row.param.name; });

struct ForecastCase {
    const char* name;
    WearReading reading;
    std::optional<int> earliest_days;
    std::optional<int> latest_days;
    const char* line;
    Level level;
};

class VerdictForecastTest : public testing::TestWithParam<ForecastCase> {};

TEST_P(VerdictForecastTest, TheWorstCounts) {
    // 2023-11-14
    Forecast forecast{.made = WallTime{1'700'000'000}};
    auto in = [&](int days) { return forecast.made + std::chrono::days{days}; };
    if (GetParam().earliest_days.has_value()) forecast.earliest = in(*GetParam().earliest_days);
    if (GetParam().latest_days.has_value()) {
        forecast.latest = in(*GetParam().latest_days);
        forecast.state = Forecast::State::kRange;
    }
    Verdict verdict = JudgeWear(GetParam().reading, forecast);
    EXPECT_EQ(std::string("Storage life: ") + GetParam().line, verdict.line);
    EXPECT_EQ(NameOf(GetParam().level), NameOf(verdict.level));
}

INSTANTIATE_TEST_SUITE_P(
        All, VerdictForecastTest,
        testing::Values(
                ForecastCase{"Far", Wear(4, 1, 1), 700, 1400,
                             "30-40 % used (60-70 % left), pre-EOL normal; used up between 2025-10 "
                             "and 2027-09 at this rate",
                             Level::kGood},
                ForecastCase{"AYearAtTheLatest", Wear(4, 1, 1), 10, 364,
                             "30-40 % used (60-70 % left), pre-EOL normal; used up between 2023-11 "
                             "and 2024-11 at this rate",
                             Level::kWarning},
                ForecastCase{"PerhapsSoonPerhapsNot", Wear(4, 1, 1), 10, 365,
                             "30-40 % used (60-70 % left), pre-EOL normal; used up between 2023-11 "
                             "and 2024-11 at this rate",
                             Level::kGood},
                ForecastCase{"Soon", Wear(4, 1, 1), 10, 89,
                             "30-40 % used (60-70 % left), pre-EOL normal; used up between 2023-11 "
                             "and 2024-02 at this rate",
                             Level::kUrgent},
                ForecastCase{"TheCardKnowsWorse", Wear(4, 1, 3), 700, 1400,
                             "30-40 % used (60-70 % left), pre-EOL urgent; used up between 2025-10 "
                             "and 2027-09 at this rate",
                             Level::kUrgent},
                ForecastCase{"OnlyNotBefore", Wear(4, 1, 1), 700, std::nullopt,
                             "30-40 % used (60-70 % left), pre-EOL normal; not used up before "
                             "2025-10 even at twice this rate",
                             Level::kGood},
                ForecastCase{"SilentWhenUnknown", Wear(4, 1, 1), std::nullopt, std::nullopt,
                             "30-40 % used (60-70 % left), pre-EOL normal", Level::kGood},
                ForecastCase{"NothingKnown", Wear(0, 0, 0), std::nullopt, std::nullopt,
                             "not reported, pre-EOL not reported", Level::kUnknown}),
        [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace storekeeper
