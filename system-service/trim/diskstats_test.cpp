// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "trim/diskstats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <string>

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr char kModern[] =
        " 179       0 mmcblk0 10 0 80 5 20 0 160 9 0 14 14 7 0 4096 3 2 1\n"
        " 179       2 mmcblk0p2 10 0 80 5 20 0 160 9 0 14 14 5 0 2048 3 0 0\n"
        "   8       2 sda2 10 0 80 5 20 0 160 9 0 14 14 5 0 7 3 0 0\n";

TEST(DiskstatsTest, ReadsDiscardedSectorsOfTheDeviceAsBytes) {
    EXPECT_EQ(2048U * 512, *DiscardedBytes(kModern, makedev(179, 2)));
    EXPECT_EQ(4096U * 512, *DiscardedBytes(kModern, makedev(179, 0)));
    EXPECT_EQ(7U * 512, *DiscardedBytes(kModern, makedev(8, 2)));
}

TEST(DiskstatsTest, SaysWhyThereIsNoCount) {
    struct Row {
        std::string text;
        const char* error;
    };
    const Row rows[] = {
            {kModern, "no line for device 179:9"},
            {"", "no line for device 179:9"},
            {"garbage\n", "no line for device 179:9"},
            {"179 9 " + std::string(1 << 20, 'x') + "\n", "no line for device 179:9"},
            // Linux 4.17 and before: eleven figures.
            {"179 9 mmcblk0p9 10 0 80 5 20 0 160 9 0 14 14\n", "does not count discards"},
            {"179 9 mmcblk0p9 1 2 3 4 5 6 7 8 9 10 11 12 13 -5 15 16 17\n", "'-5'"},
            {"179 9 mmcblk0p9 1 2 3 4 5 6 7 8 9 10 11 12 13 99999999999999999999 15\n", "'9999"},
    };
    for (const Row& row : rows) {
        auto bytes = DiscardedBytes(row.text, makedev(179, 9));
        ASSERT_FALSE(bytes.ok()) << row.text.substr(0, 40);
        EXPECT_THAT(bytes.error().message(), HasSubstr(row.error));
    }
}

TEST(DiskstatsTest, ReadsWhatADiskDoes) {
    const char* line = "179 0 mmcblk0 10 1 80 5 20 2 160 9 3 14 15 1 0 8 1 4 2\n";
    DiskActivity activity = *ActivityOf(line, makedev(179, 0));
    EXPECT_EQ(10U, activity.reads);
    EXPECT_EQ(5, activity.reading.count());
    EXPECT_EQ(20U, activity.writes);
    EXPECT_EQ(9, activity.writing.count());
    EXPECT_EQ(160U * 512, activity.written_bytes);
    EXPECT_EQ(3U, activity.in_flight);
    EXPECT_EQ(14, activity.busy.count());
    // Kernels before 4.18 have these, too.
    EXPECT_TRUE(ActivityOf("179 9 x 10 0 80 5 20 0 160 9 0 14 14\n", makedev(179, 9)).ok());
    EXPECT_FALSE(ActivityOf("179 9 x 10 0 80 5 20\n", makedev(179, 9)).ok());
    EXPECT_FALSE(ActivityOf("179 9 x 10 0 80 -5 20 0 160 9 0 14 14\n", makedev(179, 9)).ok());
}

}  // namespace
}  // namespace storekeeper
