// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/retention.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "history/tables.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::nanoseconds;

// A Thursday, like the first day of every week since the epoch, and the first day of a 28-day
// month.
constexpr int64_t kDay = 28 * 740;
constexpr uint64_t kBytes = 1 << 20;

class RetentionTest : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_TRUE(database_.Open(tree_.PathOf("/history.db")).ok());
        ASSERT_TRUE(MigrateTables(&database_, kBytes).ok());
    }

    void PutDay(int64_t day, int times) {
        LatencySample sample{.wall = std::chrono::days(day) + std::chrono::hours(1),
                             .span = std::chrono::hours(24),
                             .source = LatencySource::kProbe,
                             .kind = IoKind::kWrite};
        for (int i = 1; i <= times; ++i) sample.histogram.Add(nanoseconds(day % 100 * i * 997));
        sample.count = static_cast<uint64_t>(times);
        sample.total = nanoseconds(times);
        all_.Merge(sample.histogram);
        ASSERT_TRUE(tables_.Put(LatencyRow::FromSample(sample)).ok());
    }

    void ThinOutOn(int64_t today) {
        const Result<uint64_t> unreadable = ThinOut(&database_, today, kBytes);
        ASSERT_TRUE(unreadable.ok()) << unreadable.error();
        EXPECT_EQ(0, *unreadable);
    }

    std::vector<LatencyRow> Latency() {
        std::vector<LatencyRow> rows;
        EXPECT_TRUE(tables_.ForEachLatency(0, INT32_MAX,
                                           [&](const LatencyRow& row) {
                                               rows.push_back(row);
                                               return Result<void>();
                                           })
                            .ok());
        return rows;
    }

    Tree tree_;
    Database database_{RealCalls()};
    HistoryTables tables_{&database_};
    Histogram all_;
};

TEST_F(RetentionTest, FoldsDaysToWeeksAndTheseToMonthsWithoutLosingACount) {
    for (int64_t day = kDay; day < kDay + 28; ++day) PutDay(day, 10);
    ThinOutOn(kDay + 27 + kKeptByDay);
    EXPECT_EQ(28, Latency().size());
    ThinOutOn(kDay + 28 + kKeptByDay);
    const std::vector<LatencyRow> weeks = Latency();
    ASSERT_EQ(4, weeks.size());
    EXPECT_EQ(kDay + 7, weeks[1].day);
    EXPECT_EQ(7, weeks[1].days);
    EXPECT_EQ(70, weeks[1].count);
    EXPECT_EQ(nanoseconds(70), weeks[1].total);
    EXPECT_EQ(std::chrono::days(7), weeks[1].span);
    EXPECT_EQ(std::chrono::days(kDay + 13) + std::chrono::hours(1), weeks[1].wall);
    ThinOutOn(kDay + 28 + kKeptByWeek);
    const std::vector<LatencyRow> months = Latency();
    ASSERT_EQ(1, months.size());
    EXPECT_EQ(28, months[0].days);
    EXPECT_EQ(280, months[0].count);
    EXPECT_EQ(all_, months[0].Sample()->histogram);
}

TEST_F(RetentionTest, ALateRowJoinsItsWeek) {
    for (int64_t day = kDay; day < kDay + 28; ++day) PutDay(day, 1);
    ThinOutOn(kDay + 28 + kKeptByDay);
    PutDay(kDay, 1);
    PutDay(kDay + 1, 1);
    ThinOutOn(kDay + 28 + kKeptByDay);
    const std::vector<LatencyRow> weeks = Latency();
    ASSERT_EQ(4, weeks.size());
    EXPECT_EQ(9, weeks[0].count);
    EXPECT_EQ(7, weeks[0].days);
}

TEST_F(RetentionTest, AHistogramThatCannotBeReadIsLostAlone) {
    PutDay(kDay, 5);
    PutDay(kDay + 2, 5);
    ASSERT_TRUE(database_
                        .Execute("INSERT INTO latency VALUES(" +
                                 std::to_string((kDay + 1) * 16 + 5) + ", 1, 0, 0, 3, 3, x'85')")
                        .ok());
    EXPECT_EQ(1, *ThinOut(&database_, kDay + 28 + kKeptByDay, kBytes));
    ASSERT_EQ(1, Latency().size());
    EXPECT_EQ(10, Latency()[0].count);
}

TEST_F(RetentionTest, UidsFoldToTheLargestAndTheOthers) {
    for (int64_t day = kDay; day < kDay + 7; ++day) {
        for (uint32_t uid = 0; uid < 15; ++uid) {
            ASSERT_TRUE(tables_.Put(UidRow{.day = day, .uid = uid, .written_bytes = uid}).ok());
        }
    }
    ThinOutOn(kDay + 28 + kKeptByDay);
    std::vector<UidRow> rows;
    ASSERT_TRUE(tables_.ForEachUid(0, INT32_MAX,
                                   [&](const UidRow& row) {
                                       rows.push_back(row);
                                       return Result<void>();
                                   })
                        .ok());
    ASSERT_EQ(kUidsKept + 1, rows.size());
    EXPECT_EQ((UidRow{.day = kDay, .days = 7, .uid = 5, .written_bytes = 35}), rows[0]);
    EXPECT_EQ((UidRow{.day = kDay, .days = 7, .uid = UidRow::kOthers, .written_bytes = 70}),
              rows[kUidsKept]);
}

TEST_F(RetentionTest, AClockThatJumpedAheadCostsResolutionAndNoCount) {
    for (int64_t day = kDay; day < kDay + 56; ++day) PutDay(day, 1);
    ThinOutOn(kDay * 10);
    const std::vector<LatencyRow> months = Latency();
    ASSERT_EQ(2, months.size());
    EXPECT_EQ(28, months[0].count);
    EXPECT_EQ(28, months[1].count);
}

TEST_F(RetentionTest, OldMonthsGoByTheirNumber) {
    for (int64_t month = 0; month < kMonthsKept + 5; ++month) PutDay(kDay + 28 * month, 1);
    ThinOutOn(kDay * 10);
    const std::vector<LatencyRow> months = Latency();
    ASSERT_EQ(kMonthsKept, months.size());
    EXPECT_EQ(kDay + 28 * 5, months[0].day);
}

TEST_F(RetentionTest, AFullFileLosesTheOldestFirst) {
    // Each histogram fills pages of its own.
    Histogram large;
    for (uint32_t bucket = 0; bucket < 1152; ++bucket) large.AddToBucket(bucket, 1ULL << 40);
    LatencySample sample{.source = LatencySource::kProbe, .histogram = large};
    int64_t day = kDay;
    while (!*IsNearlyFull(&database_, kBytes)) {
        sample.wall = std::chrono::days(++day);
        ASSERT_TRUE(tables_.Put(LatencyRow::FromSample(sample)).ok());
    }
    const size_t before = Latency().size();
    ThinOutOn(kDay);
    EXPECT_FALSE(*IsNearlyFull(&database_, kBytes));
    EXPECT_EQ(day, Latency().back().day);
    EXPECT_LT(before / 2, Latency().size());
    EXPECT_GT(before, Latency().size());
}

TEST(LargestWritersTest, AddsUpRowsOfAUidAndKeepsOthersApart) {
    const std::vector<UidRow> rows = LargestWriters({{.uid = 1, .written_bytes = 5},
                                                     {.uid = UidRow::kOthers, .written_bytes = 50},
                                                     {.uid = 2, .written_bytes = 6},
                                                     {.uid = 1, .written_bytes = 5}});
    ASSERT_EQ(3U, rows.size());
    EXPECT_EQ((UidRow{.uid = 1, .written_bytes = 10}), rows[0]);
    EXPECT_EQ((UidRow{.uid = 2, .written_bytes = 6}), rows[1]);
    EXPECT_EQ((UidRow{.uid = UidRow::kOthers, .written_bytes = 50}), rows[2]);
}

TEST(LargestWritersTest, GoByBytesOnTheDevice) {
    const std::vector<UidRow> rows =
            LargestWriters({{.uid = 1, .written_bytes = 9, .fsyncs = 1, .device_bytes = 10},
                            {.uid = 2, .written_bytes = 1, .fsyncs = 7, .device_bytes = 6},
                            {.uid = 2, .written_bytes = 1, .fsyncs = 7, .device_bytes = 6}});
    ASSERT_EQ(2U, rows.size());
    EXPECT_EQ((UidRow{.uid = 2, .written_bytes = 2, .fsyncs = 14, .device_bytes = 12}), rows[0]);
}

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
    EXPECT_FALSE(DeservesRow(At(10, 1, 5), At(10, 1, 6)));
    EXPECT_TRUE(DeservesRow(At(10, 1, 5), At(10, 2, 5)));
    EXPECT_TRUE(DeservesRow(At(10, 1, 5), At(11, 1, 5)));
}

TEST(WearThinningTest, KeepsAWeeksLastAndBothSidesOfATurn) {
    std::vector<WearSample> samples;
    // Weeks begin at days 0, 7, 14 ...; the life time moves between days 9 and 10.
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

TEST(WearThinningTest, TheNewestOfTooManyTurnsStay) {
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
