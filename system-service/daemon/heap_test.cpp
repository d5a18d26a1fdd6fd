// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/heap.h"

#include <gtest/gtest.h>

#include "testing/fake_clock.h"

namespace storekeeper {
namespace {

TEST(HeapPurgeTest, FollowsTheFirstRequestByHalfASecond) {
    FakeClock clock;
    int wakes = 0;
    HeapPurge purge(clock, [&wakes] { ++wakes; });
    EXPECT_EQ(std::nullopt, purge.Turn());
    const BootTime due = clock.SinceBoot() + HeapPurge::kDelay;
    purge.Request();
    EXPECT_EQ(due, purge.Turn());
    clock.Advance(HeapPurge::kDelay / 2);
    // Further requests neither delay the purge nor wake the loop.
    purge.Request();
    EXPECT_EQ(due, purge.Turn());
    EXPECT_EQ(1, wakes);
    clock.Advance(HeapPurge::kDelay / 2);
    EXPECT_EQ(std::nullopt, purge.Turn());
    purge.Request();
    EXPECT_EQ(clock.SinceBoot() + HeapPurge::kDelay, purge.Turn());
    EXPECT_EQ(2, wakes);
}

}  // namespace
}  // namespace storekeeper
