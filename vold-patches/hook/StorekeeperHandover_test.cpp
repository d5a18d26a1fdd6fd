// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "StorekeeperHandover.h"

#include <gtest/gtest.h>

#include <string>

#include "fake_properties.h"

namespace {

constexpr long long kNow = 1'000'000;

bool OwnsAt(const std::string& owner, const std::string& beat) {
    FakeProperties properties;
    properties.Put("storekeeper.trim.owner", owner);
    properties.Put("storekeeper.trim.beat", beat);
    const bool owns = storekeeper_owns_trim_at(kNow) != 0;
    EXPECT_EQ(2u, properties.all().size());
    return owns;
}

TEST(StorekeeperHandoverTest, WantsAnOwnerThatLived) {
    const struct {
        std::string owner;
        std::string beat;
        bool owns;
    } cases[] = {
            {"storekeeper", "1000000", true},    {"storekeeper", "913600", true},  // a day ago
            {"storekeeper", "913599", false},  // longer ago: dead, stopped or stuck
            {"storekeeper", "1000001", false},   {"storekeeper", "0", false},
            {"storekeeper", "", false},          {"storekeeper", "-1", false},
            {"storekeeper", " 1000000", false},  {"storekeeper", "1000000 ", false},
            {"storekeeper", "1000000.5", false}, {"storekeeper", "99999999999999999999999", false},
            {"storekeeper", "never", false},     {"storekeeperd", "1000000", false},
            {"vold", "1000000", false},          {"", "1000000", false},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(c.owns, OwnsAt(c.owner, c.beat)) << c.owner << " " << c.beat;
    }
}

TEST(StorekeeperHandoverTest, VoldTrimsWhereNothingIsSet) {
    FakeProperties properties;
    EXPECT_FALSE(storekeeper_owns_trim());
    EXPECT_TRUE(properties.all().empty());
}

TEST(StorekeeperHandoverTest, MeasuresByTheClockThatCountsSleep) {
    FakeProperties properties;
    timespec now = {};
    ASSERT_EQ(0, clock_gettime(CLOCK_BOOTTIME, &now));
    properties.Put("storekeeper.trim.owner", "storekeeper");
    properties.Put("storekeeper.trim.beat", std::to_string(now.tv_sec));
    EXPECT_TRUE(storekeeper_owns_trim());
}

}  // namespace
