// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gtest/gtest.h>

#include "bench/system/cpu_limits.h"

namespace storekeeper {
namespace {

TEST(CpuTimeTest, ReadsTheLineOfAll) {
    auto time = ParseProcStat("cpu  10 2 300 4000 50 6 7 8 9 1\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
    ASSERT_TRUE(time.ok()) << time.error();
    EXPECT_EQ(12u, time->user);
    EXPECT_EQ(313u, time->system);
    EXPECT_EQ(4050u, time->idle);
}

TEST(CpuTimeTest, RefusesOthers) {
    for (const char* text : {"", "cpu\n", "cpu 1 2 3 4 5 6\n", "cpu0 1 2 3 4 5 6 7\n",
                             "cpu 1 2 x 4 5 6 7\n", "cpu 1 2 -3 4 5 6 7\n"}) {
        EXPECT_FALSE(ParseProcStat(text).ok()) << text;
    }
}

}  // namespace
}  // namespace storekeeper
