// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/cpu_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;

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
    tree.Write("/sys/class/thermal/cooling_device0/cur_state", "-1\n");
    EXPECT_EQ(CpuLimits(), ReadCpuLimits(tree.files()));
}

}  // namespace
}  // namespace storekeeper
