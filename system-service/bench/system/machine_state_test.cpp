// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/machine_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::ElementsAre;

TEST(ClockSetTest, TheProcessorsCounterGoesAsTheRawClock) {
    const ClockSet begin = ClockSet::Now();
#if !defined(__aarch64__)
    EXPECT_EQ(std::nullopt, begin.counter);
#else
    if (!begin.counter.has_value()) GTEST_SKIP() << "CNTFRQ_EL0 holds no rate here";
    ClockSet end = begin;
    while (end.raw - begin.raw < milliseconds(50)) end = ClockSet::Now();
    // The two clocks are read one after the other, and the program may be interrupted in between.
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
                 // Ten years and 1/3 s.
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

// The clocks are read while another program interrupts the first `interrupted` times.
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
    // If it interrupts each time, the closest set counts.
    const ClockSet set = ReadWith(1000);
    EXPECT_LE(set.wall - set.raw, milliseconds(992));
    EXPECT_GT(set.raw.count(), 0);
    // If each interruption is longer, the first set counts.
    nanoseconds now(0);
    int reads = 0;
    const ClockSet first = ClockSet::Now([&](clockid_t) {
        now += nanoseconds(50);
        if (reads++ % 5 == 1) now += milliseconds(reads);
        return now;
    });
    EXPECT_EQ(nanoseconds(50), first.raw);
}

TEST(ClockSetTest, NoneGoesBack) {
    const ClockSet begin = ClockSet::Now();
    const ClockSet end = ClockSet::Now();
    EXPECT_GT(begin.raw.count(), 0);
    EXPECT_GE(end.raw, begin.raw);
    EXPECT_GE(end.monotonic, begin.monotonic);
    EXPECT_GE(end.boot, begin.boot);
}

TEST(CpuLimitsTest, ReportsWhatLimits) {
    Tree tree;
    for (const char* policy : {"policy0", "policy4"}) {
        const std::string folder = std::string("/sys/devices/system/cpu/cpufreq/") + policy;
        tree.Write(folder + "/scaling_governor", "schedutil\n");
        tree.Write(folder + "/cpuinfo_max_freq", "2400000\n");
        tree.Write(folder + "/scaling_max_freq", "2400000\n");
    }
    tree.Write("/sys/class/thermal/cooling_device0/cur_state", "0\n");
    tree.Write("/sys/class/thermal/cooling_device0/type", "cpu-0\n");
    CpuLimits limits = ReadCpuLimits(tree.files());
    EXPECT_THAT(limits.governors, ElementsAre("schedutil"));
    EXPECT_TRUE(limits.capped.empty());
    EXPECT_TRUE(limits.cooling.empty());

    tree.Write("/sys/devices/system/cpu/cpufreq/policy4/scaling_max_freq", "1800000\n");
    tree.Write("/sys/class/thermal/cooling_device0/cur_state", "2\n");
    limits = ReadCpuLimits(tree.files());
    EXPECT_THAT(limits.capped, ElementsAre("policy4 at 1800000 of 2400000 kHz"));
    EXPECT_THAT(limits.cooling, ElementsAre("cpu-0"));
}

TEST(CpuLimitsTest, NothingThereLimitsNothing) {
    Tree tree;
    EXPECT_EQ(CpuLimits(), ReadCpuLimits(tree.files()));
    tree.Write("/sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq", "fast\n");
    tree.Write("/sys/devices/system/cpu/cpufreq/policy4/scaling_max_freq", "1800000\n");
    tree.Write("/sys/class/thermal/cooling_device0/cur_state", "-1\n");
    EXPECT_EQ(CpuLimits(), ReadCpuLimits(tree.files()));
}

TEST(CpuTimeTest, ReadsTheLineOfAll) {
    auto time = ParseProcStat("cpu  10 2 300 4000 50 6 7 8 9 1\ncpu0 1 1 1 1 1 1 1 1 1 1\n");
    ASSERT_TRUE(time.ok()) << time.error();
    EXPECT_EQ(12u, time->user);
    EXPECT_EQ(313u, time->system);
}

TEST(CpuTimeTest, RefusesOthers) {
    for (const char* text : {"", "cpu\n", "cpu 1 2 3 4 5 6\n", "cpu0 1 2 3 4 5 6 7\n",
                             "cpu 1 2 x 4 5 6 7\n", "cpu 1 2 -3 4 5 6 7\n"}) {
        EXPECT_FALSE(ParseProcStat(text).ok()) << text;
    }
}

}  // namespace

}  // namespace storekeeper
