// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include "bench/fio_result.h"

namespace storekeeper {
namespace {

using std::chrono::nanoseconds;

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
