// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/clock_set.h"

#include <gtest/gtest.h>

namespace storekeeper {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(ClockSetTest, TheProcessorsCounterGoesAsTheRawClock) {
    const ClockSet begin = ClockSet::Now();
#if !defined(__aarch64__)
    EXPECT_EQ(std::nullopt, begin.counter);
#else
    if (!begin.counter.has_value()) GTEST_SKIP() << "CNTFRQ_EL0 holds no rate here";
    ClockSet end = begin;
    while (end.raw - begin.raw < milliseconds(50)) end = ClockSet::Now();
    // One is read after the other; in between, this program may have to wait for its turn.
    const nanoseconds apart = (*end.counter - *begin.counter) - (end.raw - begin.raw);
    EXPECT_LT(std::chrono::abs(apart), (end.raw - begin.raw) / 2);
#endif
}

TEST(CountedTimeTest, CountsByTheRate) {
    struct Row {
        uint64_t ticks = 0;
        uint64_t rate = 0;
        std::optional<nanoseconds> expected;
    };
    for (const Row& row : {
                 Row{19'200'000, 19'200'000, nanoseconds(1'000'000'000)},
                 Row{1, 19'200'000, nanoseconds(52)},
                 // Ten years, and 1/3 s.
                 Row{315'360'000ull * 24'000'000 + 8'000'000, 24'000'000,
                     nanoseconds(315'360'000'333'333'333)},
                 Row{5, 1'000'000'000, nanoseconds(5)},
                 Row{5, 0, std::nullopt},
                 Row{5, 32768, std::nullopt},
                 Row{5, UINT64_MAX, std::nullopt},
         }) {
        EXPECT_EQ(row.expected, CountedTime(row.ticks, row.rate)) << row.ticks << " " << row.rate;
    }
}

// Another program's turn came while the clocks were read, as often as `interrupted` says.
ClockSet ReadWith(int interrupted) {
    nanoseconds now(0);
    int reads = 0;
    return ClockSet::Now([&](clockid_t) {
        now += nanoseconds(50);
        if (reads++ % 5 == 1 && interrupted-- > 0) now += milliseconds(interrupted + 1);
        return now;
    });
}

TEST(ClockSetTest, ReadsAgainWhenItHadToWait) {
    for (const int interrupted : {0, 1, 9}) {
        const ClockSet set = ReadWith(interrupted);
        EXPECT_LT(set.wall - set.raw, std::chrono::microseconds(1)) << interrupted;
    }
    // Always: the closest.
    const ClockSet set = ReadWith(1000);
    EXPECT_LE(set.wall - set.raw, milliseconds(992));
    EXPECT_GT(set.raw.count(), 0);
}

TEST(ClockSetTest, NoneGoesBack) {
    const ClockSet begin = ClockSet::Now();
    const ClockSet end = ClockSet::Now();
    EXPECT_GT(begin.raw.count(), 0);
    EXPECT_GE(end.raw, begin.raw);
    EXPECT_GE(end.monotonic, begin.monotonic);
    EXPECT_GE(end.boot, begin.boot);
}

}  // namespace
}  // namespace storekeeper
