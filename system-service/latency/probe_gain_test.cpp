// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/probe_gain.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace storekeeper {
namespace {

using std::chrono::microseconds;

std::vector<LatencySample> Writes(std::initializer_list<int> times, IoKind kind = IoKind::kWrite) {
    LatencySample sample{.source = LatencySource::kProbe, .kind = kind, .count = times.size()};
    for (const int time : times) sample.histogram.Add(microseconds(time));
    return {{.source = LatencySource::kProbe, .kind = IoKind::kRead}, sample};
}

TEST(ProbeGainTest, ReportsByHowMuchTheSlowestFell) {
    const std::optional<int> fall =
            FallOfP99(Writes({4000, 4100, 5000, 8000}), Writes({900, 1000, 1500, 2000}));
    ASSERT_TRUE(fall.has_value());
    EXPECT_NEAR(75, *fall, 2);
}

TEST(ProbeGainTest, ARiseIsNegative) {
    const std::optional<int> fall = FallOfP99(Writes({1000, 1000}), Writes({1500, 2000}));
    ASSERT_TRUE(fall.has_value());
    EXPECT_NEAR(-100, *fall, 6);
}

TEST(ProbeGainTest, SaysNothingWhereTheTimesOverlap) {
    // One quick write before, or one slow one after, and it may all be chance.
    EXPECT_EQ(std::nullopt, FallOfP99(Writes({900, 4100, 5000, 8000}), Writes({900, 1000, 1500})));
    EXPECT_EQ(std::nullopt, FallOfP99(Writes({4000, 4100}), Writes({900, 4050})));
    EXPECT_EQ(std::nullopt, FallOfP99(Writes({1000, 1000}), Writes({1000, 1000})));
}

TEST(ProbeGainTest, SaysNothingWithoutWrites) {
    EXPECT_EQ(std::nullopt, FallOfP99({}, Writes({1})));
    EXPECT_EQ(std::nullopt, FallOfP99(Writes({1}), {}));
    EXPECT_EQ(std::nullopt, FallOfP99(Writes({9}, IoKind::kFlush), Writes({1}, IoKind::kFlush)));
    EXPECT_EQ(std::nullopt, FallOfP99(Writes({}), Writes({1})));
}

}  // namespace
}  // namespace storekeeper
