// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "StorekeeperTrim.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "fake_properties.h"

namespace {

class StorekeeperTrimTest : public testing::Test {
  protected:
    StorekeeperTrimTest() { properties_.Put("ro.storekeeper.enabled", "true"); }

    // The slots go on from test to test: what a report wrote is what was not there before.
    std::string Report(const std::string& path, uint64_t bytes, int64_t start_ns, int error) {
        for (int i = 0; i < STOREKEEPER_TRIM_SLOTS; i++) {
            properties_.Put("vold.storekeeper.trim." + std::to_string(i), "");
        }
        storekeeper_report_trim(path.c_str(), bytes, start_ns, error);
        std::string found;
        for (const auto& [name, value] : properties_.all()) {
            if (name.starts_with("vold.storekeeper.trim.")) found += value;
        }
        return found;
    }

    FakeProperties properties_;
};

TEST_F(StorekeeperTrimTest, ReportsWhatATrimDid) {
    const int64_t now = storekeeper_boot_ns();
    const std::string reported = Report("/data", 13637656576, now - 5'000'000'000, 0);
    long long start = 0;
    long long took = 0;
    char path[32] = "";
    // NOLINTNEXTLINE(cert-err34-c): the numbers are checked below
    ASSERT_EQ(3, sscanf(reported.c_str(), "%lld,13637656576,%lld,0,%31s", &start, &took, path))
            << reported;
    EXPECT_EQ((now - 5'000'000'000) / 1'000'000, start);
    EXPECT_GE(took, 5000);
    EXPECT_STREQ("/data", path);
}

TEST_F(StorekeeperTrimTest, ReportsTheErrorAndLeavesErrnoAlone) {
    errno = EOPNOTSUPP;
    EXPECT_TRUE(Report("/cache", 0, storekeeper_boot_ns(), EOPNOTSUPP).ends_with(",95,/cache"));
    EXPECT_EQ(EOPNOTSUPP, errno);
}

TEST_F(StorekeeperTrimTest, GoesRoundEightNames) {
    const int64_t now = storekeeper_boot_ns();
    for (int i = 0; i < 2 * STOREKEEPER_TRIM_SLOTS; i++) {
        storekeeper_report_trim("/data", 0, now, 0);
    }
    EXPECT_EQ(1u + STOREKEEPER_TRIM_SLOTS, properties_.all().size());
    EXPECT_EQ(0, properties_.refused());
}

TEST_F(StorekeeperTrimTest, FitsTheLongestNumbersAndPaths) {
    Report("/mnt/expand/01234567-89ab-cdef-0123-456789abcdef/" + std::string(300, 'x'), UINT64_MAX,
           0, 133);
    EXPECT_EQ(0, properties_.refused());
}

TEST_F(StorekeeperTrimTest, IsSilentWhereStorekeeperIsOff) {
    properties_.Put("ro.storekeeper.enabled", "false");
    EXPECT_EQ("", Report("/data", 1, 0, 0));
}

}  // namespace
