// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/clock_set.h"

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
    ASSERT_TRUE(begin.counter.has_value());
    ClockSet end = begin;
    while (end.raw - begin.raw < milliseconds(50)) end = ClockSet::Now();
    // One is read after the other; in between, this program may have to wait for its turn.
    const nanoseconds apart = (*end.counter - *begin.counter) - (end.raw - begin.raw);
    EXPECT_LT(std::chrono::abs(apart), (end.raw - begin.raw) / 2);
#endif
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
