// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/diskstats.h"

#include <android-base/strings.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <string>
#include <vector>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

constexpr char kModern[] =
        " 179       0 mmcblk0 10 0 80 5 20 0 160 9 0 14 14 7 0 4096 3 2 1\n"
        " 179       2 mmcblk0p2 10 0 80 5 20 0 160 9 0 14 14 5 0 2048 3 0 0\n"
        "   8       2 sda2 10 0 80 5 20 0 160 9 0 14 14 5 0 7 3 0 0\n";

TEST(DiskstatsTest, ReadsDiscardedSectorsOfTheDeviceAsBytes) {
    EXPECT_EQ(2048U * 512, FindDiskStats(kModern, makedev(179, 2))->discarded_bytes);
    EXPECT_EQ(4096U * 512, FindDiskStats(kModern, makedev(179, 0))->discarded_bytes);
    EXPECT_EQ(7U * 512, FindDiskStats(kModern, makedev(8, 2))->discarded_bytes);
}

TEST(DiskstatsTest, SaysWhatIsMissing) {
    struct Row {
        std::string text;
        const char* error;
    };
    const Row rows[] = {
            {kModern, "no line for device 179:9"},
            {"", "no line for device 179:9"},
            {"garbage\n", "no line for device 179:9"},
            {"179 9 " + std::string(1 << 20, 'x') + "\n", "no line for device 179:9"},
            {"179 9 mmcblk0p9 10 0 80 5 20\n", "no statistic 7 for mmcblk0p9"},
            {"179 9 mmcblk0p9 10 0 80 -5 20 0 160 9 0 14 14\n", "'-5' is not a number"},
            {"179 9 mmcblk0p9 1 2 3 4 5 6 7 8 9 10 11 12 13 -5 15 16 17\n", "'-5'"},
            {"179 9 mmcblk0p9 1 2 3 4 5 6 7 8 9 10 11 12 13 99999999999999999999 15\n", "'9999"},
            {"x 9 mmcblk0p9 10 0 80\n", "no line for device 179:9"},
            {"179 -9 mmcblk0p9 10 0 80\n", "no line for device 179:9"},
    };
    for (const Row& row : rows) {
        auto stats = FindDiskStats(row.text, makedev(179, 9));
        ASSERT_FALSE(stats.ok()) << row.text.substr(0, 40);
        EXPECT_THAT(stats.error().message(), HasSubstr(row.error));
    }
}

TEST(DiskstatsTest, EachStatisticThatIsReadMustBeANumber) {
    const std::vector<std::string> good = {"10", "1",  "80", "5", "20", "2", "160", "9", "3",
                                           "14", "15", "1",  "0", "8",  "1", "4",   "2"};
    for (size_t bad = 0; bad < good.size(); ++bad) {
        std::vector<std::string> statistics = good;
        statistics[bad] = "1x";
        const auto stats =
                FindDiskStats("179 0 mmcblk0 " + android::base::Join(statistics, ' ') + "\n",
                              makedev(179, 0));
        // Statistics that are not parsed: merged requests, and the weighted time of all requests.
        const bool is_read = bad != 1 && bad != 5 && bad != 10 && bad != 12;
        ASSERT_EQ(!is_read, stats.ok()) << "statistic " << bad + 1;
        if (is_read) EXPECT_THAT(stats.error().message(), HasSubstr("'1x' is not a number"));
    }
}

TEST(DiskstatsTest, ReadsWhatADiskDoes) {
    const char* line = "179 0 mmcblk0 10 1 80 5 20 2 160 9 3 14 15 1 0 8 1 4 2\n";
    const DiskStats stats = *FindDiskStats(line, makedev(179, 0));
    EXPECT_EQ("mmcblk0", stats.name);
    EXPECT_EQ(10U, stats.reads);
    EXPECT_EQ(5, stats.reading.count());
    EXPECT_EQ(20U, stats.writes);
    EXPECT_EQ(9, stats.writing.count());
    EXPECT_EQ(160U * 512, stats.written_bytes);
    EXPECT_EQ(3U, stats.in_flight);
    EXPECT_EQ(14, stats.busy.count());
    EXPECT_EQ(1U, stats.discards);
    EXPECT_EQ(80U * 512, stats.read_bytes);
    EXPECT_EQ(std::chrono::milliseconds(1), stats.discarding);
    EXPECT_EQ(4U, stats.flushes);
    EXPECT_EQ(std::chrono::milliseconds(2), stats.flushing);
}

TEST(DiskstatsTest, KernelsBefore55DoNotCountFlushes) {
    const auto stats =
            FindDiskStats("179 9 x 10 0 80 5 20 0 160 9 0 14 14 7 0 64 3\n", makedev(179, 9));
    ASSERT_TRUE(stats.ok()) << stats.error();
    EXPECT_EQ(7U, stats->discards);
    EXPECT_EQ(std::chrono::milliseconds(3), stats->discarding);
    EXPECT_EQ(std::nullopt, stats->flushes);
    EXPECT_EQ(std::nullopt, stats->flushing);
}

TEST(DiskstatsTest, KernelsBefore418DoNotCountDiscards) {
    const auto stats = FindDiskStats("179 9 x 10 0 80 5 20 0 160 9 0 14 14\n", makedev(179, 9));
    ASSERT_TRUE(stats.ok()) << stats.error();
    EXPECT_EQ(std::nullopt, stats->discards);
    EXPECT_EQ(std::nullopt, stats->discarded_bytes);
    EXPECT_EQ(std::nullopt, stats->discarding);
}

TEST(DiskstatsTest, SumsTheDevicesOfAFileSystem) {
    const auto sum = SumDiskStats(kModern, {makedev(179, 2), makedev(8, 2)});
    ASSERT_TRUE(sum.ok()) << sum.error();
    EXPECT_EQ("mmcblk0p2", sum->name);
    EXPECT_EQ(20U, sum->reads);
    EXPECT_EQ(160U * 512, sum->read_bytes);
    EXPECT_EQ(std::chrono::milliseconds(10), sum->reading);
    EXPECT_EQ(40U, sum->writes);
    EXPECT_EQ(320U * 512, sum->written_bytes);
    EXPECT_EQ(std::chrono::milliseconds(18), sum->writing);
    EXPECT_EQ(std::chrono::milliseconds(28), sum->busy);
    EXPECT_EQ(10U, sum->discards);
    EXPECT_EQ(2055U * 512, sum->discarded_bytes);
    EXPECT_EQ(std::chrono::milliseconds(6), sum->discarding);
    EXPECT_EQ(0U, sum->flushes);
    EXPECT_THAT(SumDiskStats(kModern, {makedev(8, 2), makedev(9, 9)}).error().message(),
                HasSubstr("no line for device 9:9"));
}

TEST(DiskstatsTest, ASumOmitsFieldsThatOneDeviceDoesNotCount) {
    const std::string text = std::string(kModern) + "9 1 md1 1 0 8 1 1 0 8 1 0 1 1\n";
    for (const auto& devices : {std::vector<dev_t>{makedev(9, 1), makedev(8, 2)},
                                std::vector<dev_t>{makedev(8, 2), makedev(9, 1)}}) {
        const auto sum = SumDiskStats(text, devices);
        ASSERT_TRUE(sum.ok()) << sum.error();
        EXPECT_EQ(11U, sum->reads);
        EXPECT_EQ(std::nullopt, sum->discards);
        EXPECT_EQ(std::nullopt, sum->flushing);
    }
}

TEST(DiskstatsTest, ReadsEveryLineOrSaysWhichIsNone) {
    EXPECT_THAT(*ParseDiskstats(kModern),
                ElementsAre(Field(&DiskStats::name, "mmcblk0"),
                            Field(&DiskStats::name, "mmcblk0p2"), Field(&DiskStats::name, "sda2")));
    EXPECT_TRUE(ParseDiskstats("")->empty());
    for (const std::string& bad : {std::string("garbage\n"), std::string("\n"),
                                   "179 9 " + std::string(1 << 20, 'x') + "\n"}) {
        const auto all = ParseDiskstats(kModern + bad);
        ASSERT_FALSE(all.ok()) << bad.substr(0, 40);
        EXPECT_THAT(all.error().message(), HasSubstr("line 4"));
    }
}

}  // namespace
}  // namespace storekeeper
