// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/median.h"
#include "testing/wear_history.h"

namespace storekeeper {
namespace {

using std::chrono::days;
using testing::HasSubstr;
using State = Forecast::State;

constexpr double kGib = static_cast<double>(WearHistory::kGib);

// A card at a random position whose steps differ by about 15 %; `step_gib` is the mean step in GiB.
WearHistory::Card AnyCard(WearHistory::Random& random, double step_gib) {
    WearHistory::Card card;
    card.used_pct = random.Between(0, 30);
    for (double& bytes : card.bytes_per_step) bytes = step_gib * kGib * random.Between(0.75, 1.25);
    return card;
}

struct Writer {
    const char* name;
    // GiB written on a day, deterministic for a seed.
    double (*gib)(int day, uint64_t seed);
    double width;  // largest median width of the ranges, relative to the remaining time
};

double Noise(int day, uint64_t seed) {
    return WearHistory::Random(seed * 1'000'003 + static_cast<uint64_t>(day)).Next();
}

double Steady(int day, uint64_t seed) {
    return 8 + 4 * Noise(day, seed);
}
// Writes heavily in one week of five.
double Bursty(int day, uint64_t seed) {
    return Noise(day / 7, seed) < 0.2 ? 30 : 5 * Noise(day, seed);
}
double WeekendsOnly(int day, uint64_t) {
    return day % 7 >= 5 ? 35 : 0;
}
// Writes half as much from day 140 on.
double Slowing(int day, uint64_t seed) {
    return Steady(day, seed) * (day < 140 ? 2 : 1);
}

class ForecastTruthTest : public testing::TestWithParam<Writer> {};

// Simulates many phones with a known end: the range must contain the end as often as it claims, and
// be narrow enough to be useful.
TEST_P(ForecastTruthTest, HoldsTheEndAsOftenAsItSays) {
    constexpr int kPhones = 300;
    int reported = 0;
    int held = 0;
    std::vector<double> widths;
    for (uint64_t seed = 1; seed <= kPhones; ++seed) {
        WearHistory::Random random(seed);
        WearHistory phone(AnyCard(random, 600));
        auto gib = [seed](int day) { return GetParam().gib(day, seed); };
        phone.Run(static_cast<int>(random.Between(150, 350)), gib,
                  1 + static_cast<int>(random.Between(0, 20)));
        if (phone.used_pct() >= 100) continue;
        Forecast forecast = MakeForecast(BuildLedger(phone.samples), phone.clock());
        if (forecast.state == State::kUnknown) continue;
        ++reported;
        const WallTime end = phone.clock() + days{phone.DaysToEnd(gib)};
        ASSERT_LE(forecast.earliest, forecast.latest);
        held += *forecast.earliest <= end && end <= *forecast.latest;
        widths.push_back(static_cast<double>((*forecast.latest - *forecast.earliest).count()) /
                         static_cast<double>((end - forecast.made).count()));
    }
    RecordProperty("reported", reported);
    RecordProperty("held", held);
    EXPECT_GE(reported, kPhones / 2);
    // The standard deviation for 300 phones is 2.3 points.
    EXPECT_GE(held, reported * 74 / 100) << "of " << reported;
    EXPECT_LE(Median(widths).value_or(99), GetParam().width);
}

INSTANTIATE_TEST_SUITE_P(All, ForecastTruthTest,
                         testing::Values(Writer{"Steady", Steady, 0.5}, Writer{"Bursty", Bursty, 2},
                                         Writer{"WeekendsOnly", WeekendsOnly, 0.5},
                                         Writer{"Slowing", Slowing, 1.5}),
                         [](const auto& row) { return row.param.name; });

// The end may be years after the first complete step; the "not before" date must precede it.
TEST(ForecastTest, NotBeforeIsNotTooLate) {
    int bounded = 0;
    int held = 0;
    for (uint64_t seed = 1; seed <= 300; ++seed) {
        WearHistory::Random random(seed);
        WearHistory phone(AnyCard(random, 1000));
        auto gib = [seed](int day) { return Steady(day, seed); };
        phone.Run(static_cast<int>(random.Between(45, 70)), gib, 3);
        Forecast forecast = MakeForecast(BuildLedger(phone.samples), phone.clock());
        ASSERT_EQ(State::kUnknown, forecast.state) << seed;
        if (!forecast.earliest.has_value()) continue;
        ++bounded;
        EXPECT_FALSE(forecast.latest.has_value());
        held += *forecast.earliest <= phone.clock() + days{phone.DaysToEnd(gib)};
    }
    EXPECT_GE(bounded, 150);
    EXPECT_GE(held, bounded * 90 / 100) << "of " << bounded;
}

double TenGib(int) {
    return 10;
}

// A card of 300 GiB per step, used for `number_of_days` with 10 GiB each.
WearHistory Used(int number_of_days) {
    WearHistory phone({.used_pct = 5, .bytes_per_step = std::vector<double>(10, 300 * kGib)});
    phone.Run(number_of_days, TenGib, 2);
    return phone;
}

TEST(ForecastTest, ReportsBytesPerStepAndRate) {
    WearHistory phone = Used(100);
    Forecast forecast = MakeForecast(BuildLedger(phone.samples), phone.clock());
    ASSERT_EQ(State::kRange, forecast.state) << forecast.line;
    EXPECT_NEAR(300 * kGib, forecast.bytes_per_step->middle, 15 * kGib);
    EXPECT_LT(forecast.bytes_per_step->low, forecast.bytes_per_step->middle);
    EXPECT_GT(forecast.bytes_per_step->high, forecast.bytes_per_step->middle);
    EXPECT_NEAR(10 * kGib, *forecast.bytes_per_day, 0.01 * kGib);
    EXPECT_EQ(80, forecast.confidence_pct);
    EXPECT_THAT(forecast.line, HasSubstr("Used up between 2024-"));
    EXPECT_EQ("", forecast.reason);
}

struct UnknownCase {
    const char* name;
    int days;
    void (*change)(WearHistory* phone);
    const char* reason;
};

class ForecastUnknownTest : public testing::TestWithParam<UnknownCase> {};

TEST_P(ForecastUnknownTest, SaysWhy) {
    WearHistory phone = Used(GetParam().days);
    GetParam().change(&phone);
    Forecast forecast = MakeForecast(BuildLedger(phone.samples), phone.clock());
    EXPECT_EQ(State::kUnknown, forecast.state) << forecast.line;
    EXPECT_THAT(forecast.reason, HasSubstr(GetParam().reason));
    EXPECT_THAT(forecast.line, HasSubstr(forecast.reason));
    EXPECT_EQ(std::nullopt, forecast.latest);
    EXPECT_EQ(std::nullopt, forecast.confidence_pct);
}

void Nothing(WearHistory*) {}

INSTANTIATE_TEST_SUITE_P(
        All, ForecastUnknownTest,
        testing::Values(
                UnknownCase{"NothingSeen", 0, Nothing, "no samples yet"},
                UnknownCase{"AFewDays", 20, Nothing, "too little history"},
                UnknownCase{"OneEdgeOnly", 44, Nothing, "no complete 10 % step"},
                UnknownCase{"NotReportedByTheCard", 100,
                            [](WearHistory* phone) {
                                for (WearSample& s : phone->samples) s.wear = {.ext_csd_rev = 6};
                            },
                            "reports no life time"},
                UnknownCase{"ZeroIsNotReported", 100,
                            [](WearHistory* phone) {
                                for (WearSample& s : phone->samples) {
                                    s.wear.life_time_a = s.wear.life_time_b = 0;
                                }
                            },
                            "reports no life time"},
                UnknownCase{"NotReportedByTheFileSystem", 100,
                            [](WearHistory* phone) {
                                for (WearSample& s : phone->samples) {
                                    s.filesystem_written_bytes.reset();
                                }
                            },
                            "the file system does not report"},
                UnknownCase{"ReplacedChip", 100,
                            [](WearHistory* phone) {
                                phone->Replace({.chip = "b", .used_pct = 1});
                                phone->Run(15, TenGib, 2);
                            },
                            "too little history"},
                UnknownCase{"Past", 100,
                            [](WearHistory* phone) { phone->samples.back().wear.life_time_b = 11; },
                            "past its rated life"},
                UnknownCase{"TheOtherTypeStandsHigher", 100,
                            [](WearHistory* phone) {
                                for (WearSample& s : phone->samples) s.wear.life_time_b = 9;
                            },
                            "no complete 10 % step"},
                UnknownCase{"ClockSetBack", 100,
                            [](WearHistory* phone) { phone->SetClockBy(-days{1000}); },
                            "the clock jumped"},
                UnknownCase{"ClockSetOn", 100,
                            [](WearHistory* phone) { phone->SetClockBy(days{1000}); },
                            "the clock jumped"},
                UnknownCase{"ClockJumpedJustNow", 100,
                            [](WearHistory* phone) {
                                phone->SetClockBy(-days{1000});
                                phone->Run(3, TenGib, 2);
                            },
                            "jumped less than a week ago"},
                UnknownCase{"NoTrend", 100,
                            [](WearHistory* phone) {
                                phone->Run(
                                        91, [](int day) { return day % 91 == 50 ? 300 : 0.01; }, 2);
                            },
                            "vary too much"},
                UnknownCase{"NextToNothing", 100,
                            [](WearHistory* phone) {
                                phone->Run(
                                        1900, [](int) { return 0.0001; }, 2);
                            },
                            "almost no writes"}),
        [](const auto& row) { return row.param.name; });

TEST(ForecastTest, ClockJumpsOfYearsDoNotMoveTheRate) {
    WearHistory phone = Used(60);
    phone.SetClockBy(days{4000});
    phone.Run(20, TenGib, 2);
    phone.SetClockBy(-days{4000});
    phone.Run(20, TenGib, 2);
    Forecast jumped = MakeForecast(BuildLedger(phone.samples), phone.clock());
    WearHistory steady = Used(100);
    Forecast forecast = MakeForecast(BuildLedger(steady.samples), steady.clock());
    ASSERT_EQ(State::kRange, jumped.state) << jumped.line;
    EXPECT_NEAR(*forecast.bytes_per_day, *jumped.bytes_per_day, 0.01 * kGib);
    EXPECT_NEAR(forecast.earliest->count(), jumped.earliest->count(), 5 * 86400);
    EXPECT_NEAR(forecast.latest->count(), jumped.latest->count(), 5 * 86400);
}

TEST(ForecastTest, DecadesAwayIsNoDate) {
    const Normal prior{.mean = 30'000 * kGib, .deviation = 300 * kGib};
    WearHistory fresh({.used_pct = 5, .bytes_per_step = std::vector<double>(10, prior.mean)});
    fresh.Run(100, TenGib, 2);
    const Forecast forecast = MakeForecast(BuildLedger(fresh.samples), fresh.clock(), prior);
    EXPECT_EQ(State::kUnknown, forecast.state);
    EXPECT_THAT(forecast.reason, HasSubstr("the wear rate is too low"));
    EXPECT_EQ(fresh.clock() + std::chrono::years{30}, forecast.earliest);
}

TEST(ForecastTest, APriorMakesARangeBeforeAWholeStep) {
    WearHistory phone = Used(44);
    const Ledger ledger = BuildLedger(phone.samples);
    ASSERT_EQ(State::kUnknown, MakeForecast(ledger, phone.clock()).state);
    const Forecast forecast =
            MakeForecast(ledger, phone.clock(), Normal{.mean = 300 * kGib, .deviation = 45 * kGib});
    ASSERT_EQ(State::kRange, forecast.state) << forecast.line;
    const WallTime end = phone.clock() + days{phone.DaysToEnd(TenGib)};
    EXPECT_LE(*forecast.earliest, end);
    EXPECT_GE(*forecast.latest, end);
    EXPECT_NEAR(300 * kGib, forecast.bytes_per_step->middle, 30 * kGib);
}

TEST(ForecastTest, APriorOfWhatIsNotCountedIsOfNoUse) {
    WearHistory phone = Used(100);
    for (WearSample& sample : phone.samples) sample.filesystem_written_bytes.reset();
    const Normal prior{.mean = 300 * kGib, .deviation = 45 * kGib};
    EXPECT_THAT(MakeForecast(BuildLedger(phone.samples), phone.clock(), prior).reason,
                HasSubstr("does not report"));
}

TEST(ForecastTest, AFactoryResetKeepsTheHistory) {
    WearHistory phone = Used(80);
    phone.FactoryReset();
    phone.Run(20, TenGib, 2);
    Forecast forecast = MakeForecast(BuildLedger(phone.samples), phone.clock());
    const WallTime end = phone.clock() + days{phone.DaysToEnd(TenGib)};
    ASSERT_EQ(State::kRange, forecast.state) << forecast.line;
    EXPECT_LE(*forecast.earliest, end);
    EXPECT_GE(*forecast.latest, end);
}

TEST(ForecastTest, AReserveThatWasSeenToGoCounts) {
    WearHistory phone = Used(100);
    Forecast without = MakeForecast(BuildLedger(phone.samples), phone.clock());
    for (size_t i = 0; i < phone.samples.size(); ++i) {
        phone.samples[i].wear.pre_eol_info = i < 40 ? 1 : i < 80 ? 2 : 3;
    }
    Forecast forecast = MakeForecast(BuildLedger(phone.samples), phone.clock());
    ASSERT_EQ(State::kRange, forecast.state) << forecast.line;
    // Another 10 % of the reserve was used in 40 days, until 20 days ago.
    EXPECT_LT(*forecast.latest, *without.latest);
    EXPECT_GE(*forecast.latest, phone.clock() + days{20});
    // The reserve is urgent at the first sample, so its rate is unknown.
    for (WearSample& sample : phone.samples) sample.wear.pre_eol_info = 3;
    EXPECT_EQ(State::kUnknown, MakeForecast(BuildLedger(phone.samples), phone.clock()).state);
}

TEST(ForecastTest, TheFieldThatEndsFirstCounts) {
    WearHistory phone = Used(200);
    const Ledger one = BuildLedger(phone.samples);
    for (bool swapped : {false, true}) {
        for (WearSample& sample : phone.samples) {
            // The other life time is half as worn, with steps twice as long.
            sample.wear.life_time_b = static_cast<uint8_t>((*sample.wear.life_time_a + 1) / 2);
            if (swapped) std::swap(sample.wear.life_time_a, sample.wear.life_time_b);
        }
        const Forecast forecast = MakeForecast(BuildLedger(phone.samples), phone.clock());
        ASSERT_EQ(State::kRange, forecast.state) << forecast.line;
        EXPECT_EQ(MakeForecast(one, phone.clock()).earliest, forecast.earliest);
        EXPECT_NEAR(300 * kGib, forecast.bytes_per_step->middle, 15 * kGib);
    }
}

TEST(ForecastTest, StepsWithoutWritesHaveNoSpread) {
    WearHistory phone = Used(100);
    for (size_t i = 0; i < phone.samples.size(); ++i) {
        phone.samples[i].wear.life_time_a = static_cast<uint8_t>(std::min<size_t>(1 + i, 6));
        // Bytes are counted from day 10 on, after the last step.
        phone.samples[i].filesystem_written_bytes = std::max<uint64_t>(i, 10) << 30;
    }
    const Forecast forecast = MakeForecast(BuildLedger(phone.samples), phone.clock());
    ASSERT_TRUE(forecast.bytes_per_step.has_value()) << forecast.line;
    EXPECT_LT(0U, forecast.bytes_per_step->middle);
}

TEST(ForecastTest, Months) {
    EXPECT_EQ("1970-01", MonthText(WallTime{0}));
    EXPECT_EQ("2024-02", MonthText(WallTime{1709251199}));
    EXPECT_EQ("2024-03", MonthText(WallTime{1709251200}));
}

}  // namespace
}  // namespace storekeeper
