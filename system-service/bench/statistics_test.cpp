// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"

namespace storekeeper {
namespace {

using Verdict = Change::Verdict;
using std::chrono::nanoseconds;

using Values = std::vector<double>;

TEST(StatisticsTest, Median) {
    EXPECT_EQ(std::nullopt, Median({}));
    EXPECT_EQ(7, Median({7}));
    EXPECT_EQ(2, Median({3, 1, 2}));
    EXPECT_EQ(2.5, Median({4, 1, 3, 2}));
    EXPECT_EQ(3, Median({1, 2, 3, 4, 1000}));
}

TEST(StatisticsTest, IntervalHoldsTheMedianAndStaysWithinTheValues) {
    const Values values = {10, 11, 9, 10.5, 9.5, 30, 10.2};
    const Interval interval = MedianInterval(values);
    EXPECT_LE(interval.lower, *Median(values));
    EXPECT_GE(interval.upper, *Median(values));
    EXPECT_GE(interval.lower, 9);
    EXPECT_LE(interval.upper, 30);
    EXPECT_LT(interval.lower, interval.upper);
    EXPECT_EQ(interval, MedianInterval(values));
    EXPECT_EQ((Interval{4, 4}), MedianInterval({4, 4, 4, 4, 4}));
}

// The tables of the sign test give these order statistics.
TEST(StatisticsTest, IntervalLeavesOutAsManyAsTheSignTest) {
    struct Row {
        int n;
        int outside;
    };
    for (const Row& row :
         {Row{1, 0}, Row{2, 0}, Row{5, 0}, Row{6, 0}, Row{7, 0}, Row{8, 0}, Row{9, 1}, Row{10, 1},
          Row{12, 2}, Row{15, 3}, Row{20, 5}, Row{50, 17}, Row{1000, 468}}) {
        Values values;
        for (int i = row.n; i > 0; --i) values.push_back(i);
        const Interval interval = MedianInterval(values);
        EXPECT_EQ(1 + row.outside, interval.lower) << row.n;
        EXPECT_EQ(row.n - row.outside, interval.upper) << row.n;
    }
}

TEST(StatisticsTest, IntervalHoldsTheMedianAsOftenAsItSays) {
    uint32_t state = 1;
    const auto next = [&state] {
        state = state * 1664525 + 1013904223;
        return (state >> 8) / static_cast<double>(1 << 24);
    };
    constexpr int kTrials = 4000;
    for (int n = 5; n <= 12; ++n) {
        int held = 0;
        for (int i = 0; i < kTrials; ++i) {
            Values values;
            // The distribution is skewed like latencies; its median is 0.125.
            for (int j = 0; j < n; ++j) values.push_back(std::pow(next(), 3));
            const Interval interval = MedianInterval(values);
            held += interval.lower <= 0.125 && 0.125 <= interval.upper ? 1 : 0;
        }
        EXPECT_GE(held, (n == 5 ? 0.93 : 0.945) * kTrials) << n;
    }
}

TEST(StatisticsTest, WiderScatterWiderInterval) {
    const Interval narrow = MedianInterval({99, 100, 101, 100, 99.5});
    const Interval wide = MedianInterval({80, 100, 120, 110, 90});
    EXPECT_LT(narrow.upper - narrow.lower, wide.upper - wide.lower);
}

TEST(StatisticsTest, Compares) {
    struct Row {
        const char* name;
        Values before;
        Values after;
        bool more_is_faster;
        Verdict verdict;
    };
    const Row rows[] = {
            {"faster",
             {10, 10.1, 9.9, 10, 10.2},
             {12, 12.1, 11.9, 12, 12.2},
             true,
             Verdict::kFaster},
            {"slower", {10, 10.1, 9.9, 10, 10.2}, {8, 8.1, 7.9, 8, 8.2}, true, Verdict::kSlower},
            {"latency", {10, 10.1, 9.9, 10, 10.2}, {8, 8.1, 7.9, 8, 8.2}, false, Verdict::kFaster},
            {"same", {10, 10, 10, 10, 10}, {10, 10, 10, 10, 10}, true, Verdict::kNoDifference},
            {"noise", {10, 14, 7, 12, 9}, {11, 8, 13, 9, 12}, true, Verdict::kNoDifference},
            {"sure but small",
             {100, 100, 100, 100, 100},
             {100.5, 100.5, 100.5, 100.5, 100.5},
             true,
             Verdict::kNoDifference},
    };
    for (const Row& row : rows) {
        const auto change = CompareMedians(row.before, row.after, row.more_is_faster);
        ASSERT_TRUE(change.has_value()) << row.name;
        EXPECT_EQ(ChangeVerdictName(row.verdict), ChangeVerdictName(change->verdict)) << row.name;
        EXPECT_LE(change->interval.lower, change->percent) << row.name;
        EXPECT_GE(change->interval.upper, change->percent) << row.name;
    }
    EXPECT_NEAR(20, CompareMedians(rows[0].before, rows[0].after, true)->percent, 1e-9);
}

TEST(StatisticsTest, ComparesNothingOfTooFew) {
    EXPECT_FALSE(CompareMedians({1, 1, 1, 1}, {2, 2, 2, 2, 2}, true).has_value());
    EXPECT_FALSE(CompareMedians({1, 1, 1, 1, 1}, {2, 2, 2, 2}, true).has_value());
    EXPECT_FALSE(CompareMedians({0, 1, 1, 1, 1}, {2, 2, 2, 2, 2}, true).has_value());
}

// Both samples have the same distribution, so a difference must be claimed seldom.
TEST(StatisticsTest, SeldomFindsADifferenceWhereThereIsNone) {
    uint32_t state = 1;
    const auto next = [&state] {
        state = state * 1664525 + 1013904223;
        return 90 + (state >> 8) * 20.0 / (1 << 24);
    };
    int wrong = 0;
    for (int i = 0; i < 100; ++i) {
        Values before(5);
        Values after(5);
        std::generate(before.begin(), before.end(), next);
        std::generate(after.begin(), after.end(), next);
        wrong += CompareMedians(before, after, true)->verdict != Verdict::kNoDifference;
    }
    EXPECT_LE(wrong, 10);
}

TEST(LatencyBinsTest, PercentileIsTheSmallestBinThatCoversIt) {
    LatencyBins bins;
    bins.Add(nanoseconds(300), 1);
    bins.Add(nanoseconds(100), 90);
    bins.Add(nanoseconds(200), 9);
    struct Row {
        double percent;
        int64_t expected;
    };
    for (const Row& row : {Row{0.1, 100}, Row{50, 100}, Row{90, 100}, Row{90.1, 200}, Row{99, 200},
                           Row{99.9, 300}, Row{100, 300}}) {
        EXPECT_EQ(nanoseconds(row.expected), bins.Percentile(row.percent)) << row.percent;
    }
}

TEST(LatencyBinsTest, NothingCountedHasNoPercentile) {
    LatencyBins bins;
    bins.Add(nanoseconds(5), 0);
    EXPECT_EQ(std::nullopt, bins.Percentile(50));
    EXPECT_EQ(LatencyBins(), bins);
}

TEST(LatencyBinsTest, MergingIsAddingAll) {
    LatencyBins one;
    one.Add(nanoseconds(1), 2);
    LatencyBins two;
    two.Add(nanoseconds(1), 3);
    two.Add(nanoseconds(9), 1);
    LatencyBins both;
    both.Add(nanoseconds(9));
    both.Add(nanoseconds(1), 5);
    one.Merge(two);
    EXPECT_EQ(both, one);
    EXPECT_EQ(6u, one.count());
}

}  // namespace

}  // namespace storekeeper
