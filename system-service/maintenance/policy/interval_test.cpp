// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include "maintenance/policy/policy.h"

namespace storekeeper {
namespace {

using std::chrono::hours;

constexpr uint64_t kGiB = 1ULL << 30;

struct Case {
    const char* name;
    hours before;
    RunGain gain;
    hours after;
};

class IntervalTest : public testing::TestWithParam<Case> {};

TEST_P(IntervalTest, Follows) {
    EXPECT_EQ(GetParam().after, NextInterval(GetParam().before, GetParam().gain, PolicyConfig()));
}

INSTANTIATE_TEST_SUITE_P(
        All, IntervalTest,
        testing::Values(
                Case{"FreedMuch", hours(48), {2 * kGiB, 64 * kGiB, {}}, hours(24)},
                Case{"FreedMuchAtTheShortest", hours(12), {2 * kGiB, 64 * kGiB, {}}, hours(12)},
                Case{"FreedAsUsual", hours(24), {kGiB / 2, 64 * kGiB, {}}, hours(24)},
                Case{"FreedNothing", hours(24), {0, 64 * kGiB, {}}, hours(36)},
                Case{"FreedNothingAtTheLongest", hours(96), {0, 64 * kGiB, {}}, hours(96)},
                Case{"FreedNothingButFaster", hours(24), {0, 64 * kGiB, 3}, hours(24)},
                Case{"FreedNothingButMuchFaster", hours(24), {0, 64 * kGiB, 10}, hours(12)},
                Case{"FreedNothingAndSlower", hours(24), {0, 64 * kGiB, -20}, hours(36)},
                Case{"NothingTrimmed", hours(24), {0, 0, {}}, hours(36)},
                Case{"Absurd", hours(24), {UINT64_MAX, UINT64_MAX, {}}, hours(12)},
                Case{"BeyondTheBounds", hours(10000), {kGiB / 2, 64 * kGiB, {}}, hours(96)}),
        [](const auto& row) { return row.param.name; });

// From the first run on a phone that was never trimmed to one that nobody uses.
TEST(IntervalTest, FindsItsBoundsInAFewRuns) {
    std::chrono::seconds interval = hours(24);
    for (int i = 0; i < 3; ++i) interval = NextInterval(interval, {kGiB, kGiB, {}}, PolicyConfig());
    EXPECT_EQ(hours(12), interval);
    for (int i = 0; i < 6; ++i) interval = NextInterval(interval, {0, kGiB, {}}, PolicyConfig());
    EXPECT_EQ(hours(96), interval);
}

}  // namespace
}  // namespace storekeeper
