// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "health/write_rate.h"
#include "testing/wear_history.h"

namespace storekeeper {
namespace {

using std::chrono::days;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = LedgerEvent::Kind;

constexpr uint64_t kGib = WearHistory::kGib;

std::vector<std::string> EventsOf(const Ledger& ledger) {
    std::vector<std::string> names;
    for (const LedgerEvent& event : ledger.events) names.emplace_back(LedgerEventName(event.kind));
    return names;
}

double Gib(int) {
    return 10;
}

TEST(LedgerTest, NothingSeen) {
    Ledger ledger = BuildLedger({});
    EXPECT_EQ("", ledger.chip);
    EXPECT_FALSE(ledger.since.has_value());
    EXPECT_FALSE(ledger.written_bytes.has_value());
    EXPECT_THAT(ledger.events, IsEmpty());
}

TEST(LedgerTest, StepsWithWhatWasWrittenBetweenThem) {
    // 10 GiB a day, 100 GiB per step, from 12 % on: steps after 8, 18 and 28 days, daily boots.
    WearHistory phone({.bytes_per_step = std::vector<double>(10, 100.0 * kGib)});
    phone.Run(30, Gib, 1);
    Ledger ledger = BuildLedger(phone.samples);
    EXPECT_EQ("00112233445566aa", ledger.chip);
    EXPECT_EQ(WearHistory::kBegin + days{1}, ledger.since);
    EXPECT_EQ(29 * 10 * kGib, ledger.written_bytes);
    EXPECT_THAT(EventsOf(ledger), ElementsAre("first_seen"));
    ASSERT_THAT(ledger.steps, SizeIs(3));
    EXPECT_EQ(WearField::kLifeTimeA, ledger.steps[0].field);
    EXPECT_EQ(2, ledger.steps[0].from);
    EXPECT_EQ(3, ledger.steps[0].to);
    EXPECT_EQ(std::nullopt, ledger.steps[0].written_bytes);
    EXPECT_EQ(100 * kGib, ledger.steps[1].written_bytes);
    EXPECT_EQ(100 * kGib, ledger.steps[2].written_bytes);
    for (const LedgerStep& step : ledger.steps) {
        EXPECT_LT(*step.moved_after_bytes, *step.moved_before_bytes);
    }
}

TEST(LedgerTest, AStepMayBeAsOldAsTheBootBefore) {
    // The value moves after 8 days and is read at the boot after 20.
    WearHistory phone({.bytes_per_step = std::vector<double>(10, 100.0 * kGib)});
    phone.Run(25, Gib, 20);
    Ledger ledger = BuildLedger(phone.samples);
    ASSERT_THAT(ledger.steps, SizeIs(1));
    EXPECT_EQ(0, ledger.steps[0].moved_after_bytes);
    EXPECT_EQ(20 * 10 * kGib, ledger.steps[0].moved_before_bytes);
    // A UFS is queried at each sample.
    for (WearSample& sample : phone.samples) sample.source = "ufs";
    EXPECT_EQ(19 * 10 * kGib, BuildLedger(phone.samples).steps.at(0).moved_after_bytes);
}

TEST(LedgerTest, OnlyTheNewestChipCounts) {
    WearHistory phone({.bytes_per_step = std::vector<double>(10, 100.0 * kGib)});
    phone.Run(30, Gib, 1);
    phone.Replace({.chip = "ffeeddccbbaa0099", .used_pct = 0});
    phone.Run(10, Gib, 1);
    // A sample without the card's answer does not count as another card.
    phone.samples[35].chip = "";
    Ledger ledger = BuildLedger(phone.samples);
    EXPECT_EQ("ffeeddccbbaa0099", ledger.chip);
    EXPECT_THAT(EventsOf(ledger), ElementsAre("chip_replaced", "first_seen"));
    EXPECT_THAT(ledger.steps, IsEmpty());
    EXPECT_EQ(9 * 10 * kGib, ledger.written_bytes);
    EXPECT_THAT(ledger.points, SizeIs(9));
}

TEST(LedgerTest, AChipThatComesBackKeepsItsHistory) {
    WearSample a{.wall = WearHistory::kBegin, .chip = "a", .filesystem_written_bytes = 10 * kGib};
    WearSample b{.wall = WearHistory::kBegin + days{1}, .chip = "b"};
    WearSample again = a;
    again.wall += days{2};
    again.filesystem_written_bytes = 14 * kGib;
    Ledger ledger = BuildLedger(std::vector{a, b, again});
    EXPECT_EQ("a", ledger.chip);
    EXPECT_EQ(4 * kGib, ledger.written_bytes);
    EXPECT_THAT(EventsOf(ledger), ElementsAre("first_seen", "chip_replaced"));
    EXPECT_EQ("chip a in place of b", ledger.events[1].text);
}

TEST(LedgerTest, ANewFileSystemGoesOnCounting) {
    WearHistory phone({});
    phone.Run(10, Gib, 5);
    phone.FactoryReset();
    phone.Run(10, Gib, 5);
    Ledger ledger = BuildLedger(phone.samples);
    EXPECT_THAT(EventsOf(ledger), ElementsAre("first_seen", "factory_reset"));
    EXPECT_EQ((9 + 10) * 10 * kGib, ledger.written_bytes);
}

TEST(LedgerTest, APowerCutThatLosesTheCounterIsNoFactoryReset) {
    WearHistory phone({});
    phone.Run(10, Gib, 5);
    phone.LosePowerAndBytes(40 * kGib);
    phone.Run(10, Gib, 5);
    Ledger ledger = BuildLedger(phone.samples);
    EXPECT_THAT(EventsOf(ledger), ElementsAre("first_seen"));
    EXPECT_EQ((9 + 9) * 10 * kGib, ledger.written_bytes);
}

struct ClockCase {
    const char* name;
    std::vector<int> days;     // wall clock days of samples taken a day apart
    std::vector<bool> follow;  // one value for each sample
    size_t jumps;
    int watched_days;
};

class LedgerClockTest : public testing::TestWithParam<ClockCase> {};

TEST_P(LedgerClockTest, LeavesJumpsOut) {
    std::vector<WearSample> samples;
    for (int day : GetParam().days) {
        samples.push_back(
                {.wall = WallTime{days{day}}, .chip = "a", .filesystem_written_bytes = 1});
    }
    Ledger ledger = BuildLedger(samples);
    std::vector<bool> follow;
    size_t jumps = 0;
    for (const LedgerPoint& point : ledger.points) follow.push_back(point.follows);
    for (const LedgerEvent& event : ledger.events) jumps += event.kind == Kind::kClockJumped;
    EXPECT_EQ(GetParam().follow, follow);
    EXPECT_EQ(GetParam().jumps, jumps);
    EXPECT_EQ(WallTime{days{GetParam().watched_days}}, ledger.points.back().watched);
}

INSTANTIATE_TEST_SUITE_P(
        All, LedgerClockTest,
        testing::Values(
                ClockCase{"Steady", {20000, 20001, 20002}, {false, true, true}, 0, 2},
                ClockCase{"ADrawerForTwoMonthsIsTime", {20000, 20060}, {false, true}, 0, 60},
                ClockCase{"ADrawerForLongerIsNot",
                          {20000, 20061, 20062},
                          {false, false, true},
                          1,
                          1},
                ClockCase{"YearsOnAndBack",
                          {20000, 21500, 21501, 20003, 20004},
                          {false, false, true, false, true},
                          2,
                          2},
                ClockCase{"YearsBackAndOn",
                          {20000, 18000, 18001, 20003, 20004},
                          {false, false, true, false, true},
                          2,
                          2},
                ClockCase{"BootsIn1970",
                          {20000, 0, 20001, 20002},
                          {false, false, false, true},
                          2,
                          1},
                ClockCase{"BootsIn1970AtFirst", {0, 20001, 20002}, {false, false, true}, 1, 1},
                ClockCase{"OfAClockThatNobodySet", {0, 0, 20}, {false, true, true}, 0, 20},
                ClockCase{"SetAtTheFirstBelievableTime",
                          {14600, 14620, 14621},
                          {false, false, true},
                          1,
                          1},
                // A jump of 20 days looks like elapsed time until the clock is corrected.
                ClockCase{"DaysOnAndBack",
                          {20000, 20001, 20021, 20022, 20004, 20005},
                          {false, true, false, true, false, true},
                          1,
                          3}),
        [](const auto& row) { return row.param.name; });

TEST(LedgerTest, GarbageClocksAndCountersDoNotOverflow) {
    constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    std::vector<WearSample> samples =
            {{.wall = WallTime::min(), .chip = "a", .filesystem_written_bytes = 0},
             {.wall = WallTime::max(), .chip = "a", .filesystem_written_bytes = kMost},
             {.wall = WallTime::min(), .chip = "a", .filesystem_written_bytes = 7},
             {.wall = WallTime::max(), .chip = "a", .filesystem_written_bytes = kMost}};
    EXPECT_EQ(kMost, BuildLedger(samples).written_bytes);
}

TEST(LedgerTest, LifeThatComesBackWasReadWrong) {
    std::vector<WearSample> samples;
    for (int life : {2, 3, 9, 3, 3, 4, 0, 12, 4}) {
        samples.push_back({.wall = WearHistory::kBegin + days{samples.size()},
                           .boot_id = std::to_string(samples.size()),
                           .chip = "a",
                           .wear = {.life_time_a = static_cast<uint8_t>(samples.empty() ? 1 : 2),
                                    .life_time_b = static_cast<uint8_t>(life)},
                           .filesystem_written_bytes = samples.size() * kGib});
    }
    Ledger ledger = BuildLedger(samples);
    ASSERT_THAT(ledger.steps, SizeIs(3));
    // The other field's step remains.
    EXPECT_EQ(WearField::kLifeTimeA, ledger.steps[0].field);
    EXPECT_EQ(3, ledger.steps[1].to);
    EXPECT_EQ(4, ledger.steps[2].to);
    EXPECT_EQ(std::nullopt, ledger.steps[2].written_bytes);
}

// While queue/iostats is 0, samples have no count, and later counts lack those writes.
TEST(LedgerTest, ACountBeginsAnewAfterAGap) {
    WearHistory phone({.bytes_per_step = std::vector<double>(10, 100.0 * kGib)});
    phone.Run(30, Gib, 1);
    for (int day = 20; day < 25; ++day) {
        phone.samples[static_cast<size_t>(day)].filesystem_written_bytes.reset();
    }
    const std::span<const WearSample> samples = phone.samples;
    EXPECT_EQ(19 * 10 * kGib, BuildLedger(samples.first(20)).written_bytes);
    EXPECT_EQ(std::nullopt, BuildLedger(samples.first(24)).written_bytes);
    const Ledger ledger = BuildLedger(samples);
    EXPECT_EQ(4 * 10 * kGib, ledger.written_bytes);
    EXPECT_EQ(std::nullopt, ledger.points[22].written_bytes);
    EXPECT_EQ(0U, ledger.points[25].written_bytes);
    // A step that began before the gap has no known length, and earlier steps have no bounds.
    ASSERT_THAT(ledger.steps, SizeIs(3));
    EXPECT_EQ(100 * kGib, ledger.steps[1].written_bytes);
    EXPECT_EQ(std::nullopt, ledger.steps[2].written_bytes);
    for (const LedgerStep& step : std::span(ledger.steps).first(2)) {
        EXPECT_EQ(std::nullopt, step.moved_before_bytes);
        EXPECT_EQ(std::nullopt, step.moved_after_bytes);
    }
    // Time in the gap belongs to no week.
    EXPECT_THAT(WeeklyBytes(ledger, 10), SizeIs(3));
    for (const double week : WeeklyBytes(ledger, 10)) EXPECT_NEAR(70.0 * kGib, week, kGib);
}

TEST(LedgerTest, UncountedWritesStayUnknown) {
    WearHistory phone({.bytes_per_step = std::vector<double>(10, 50.0 * kGib)});
    phone.Run(30, Gib, 1);
    for (WearSample& sample : phone.samples) sample.filesystem_written_bytes.reset();
    Ledger ledger = BuildLedger(phone.samples);
    EXPECT_EQ(std::nullopt, ledger.written_bytes);
    ASSERT_FALSE(ledger.steps.empty());
    for (const LedgerStep& step : ledger.steps) {
        EXPECT_EQ(std::nullopt, step.written_bytes);
        EXPECT_EQ(std::nullopt, step.moved_before_bytes);
    }
    for (WearSample& sample : phone.samples) sample.wear.ext_csd_rev = 6;
    EXPECT_THAT(BuildLedger(phone.samples).steps, IsEmpty());
}

}  // namespace
}  // namespace storekeeper
