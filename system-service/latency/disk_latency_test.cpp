// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include <string>

#include "latency/latency_collector.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr WallTime kWall(1'767'225'600);
constexpr seconds kSpan(3600);

DiskStats Look(const std::string& line) {
    return *FindDiskStats(line + "\n", makedev(179, 0));
}

std::string Text(const Result<std::vector<LatencySample>>& samples) {
    if (!samples.ok()) return samples.error().message();
    std::string text;
    for (const LatencySample& sample : *samples) {
        EXPECT_EQ(LatencySource::kDiskstats, sample.source);
        EXPECT_EQ(kWall, sample.wall);
        EXPECT_EQ(kSpan, sample.span);
        EXPECT_EQ(0U, sample.histogram.count());
        text += std::string(text.empty() ? "" : ", ") + IoKindName(sample.kind) + " " +
                std::to_string(sample.count) + " in " +
                std::to_string(std::chrono::duration_cast<milliseconds>(sample.total).count());
    }
    return text;
}

struct Row {
    const char* what;
    const char* before;
    const char* after;
    std::string reported;
};

class DiskLatencyTest : public testing::TestWithParam<Row> {};

TEST_P(DiskLatencyTest, Reports) {
    const Row& row = GetParam();
    const auto samples = DiskLatency(Look(row.before), Look(row.after), kWall, kSpan);
    // Errors are compared in part, samples completely.
    if (samples.ok()) {
        EXPECT_EQ(row.reported, Text(samples)) << row.what;
    } else {
        EXPECT_THAT(Text(samples), HasSubstr(row.reported.empty() ? "samples" : row.reported))
                << row.what;
    }
}

INSTANTIATE_TEST_SUITE_P(
        Lines, DiskLatencyTest,
        testing::Values(
                Row{"3.4: 14 columns",
                    " 179       0 mmcblk0 21012 9382 1378438 63020 8812 9143 313160 101230 0 52710 "
                    "164190",
                    " 179       0 mmcblk0 21512 9400 1388438 64020 8912 9200 315160 105230 0 53710 "
                    "169190",
                    "read 500 in 1000"},
                // The first line is a Huawei phone's: gsurrel.github.io/PortingAndroid,
                // clone-storage.md. Then FITRIM discards 10 GiB.
                Row{"discards that count as writes",
                    " 179       0 mmcblk0 56051 10089900 13722294 410080 1177 1875 24721 23720 0 "
                    "218660 433560",
                    " 179       0 mmcblk0 56052 10089900 13722302 410081 1257 1875 20996241 43720 "
                    "0 238660 453561",
                    "read 1 in 1"},
                Row{"4.19: 18 columns",
                    " 179       0 mmcblk0 180332 51213 9876532 121004 90213 81222 4456128 402113 0 "
                    "201200 523117 812 0 10485760 3012",
                    " 179       0 mmcblk0 180333 51213 9876540 121005 90213 81222 4456128 402113 0 "
                    "201201 523118 822 0 10495760 3512",
                    "read 1 in 1, discard 10 in 500"},
                Row{"6.12: 20 columns",
                    " 179       0 mmcblk0 3270 1222 103318 604 215 341 7632 120 0 616 797 3 0 "
                    "204800 11 57 61",
                    " 179       0 mmcblk0 3271 1222 103326 605 225 341 7712 130 0 620 810 3 0 "
                    "204800 11 67 111",
                    "read 1 in 1, write 10 in 10, flush 10 in 50"},
                Row{"nothing happened", "179 0 mmcblk0 1 0 8 1 1 0 8 1 0 2 2",
                    "179 0 mmcblk0 1 0 8 1 1 0 8 1 0 2 2", ""},
                Row{"a kernel without times of that grain", "179 0 mmcblk0 1 0 8 1 1 0 8 1 0 2 2",
                    "179 0 mmcblk0 9 0 8 1 1 0 8 1 0 2 2", "read 8 in 0"},
                Row{"milliseconds wrap at 32 bits", "179 0 mmcblk0 10 0 8 4294967290 1 0 8 1 0 2 2",
                    "179 0 mmcblk0 15 0 8 4 1 0 8 1 0 2 2", "read 5 in 10"},
                Row{"counts of a 32-bit kernel wrap",
                    "179 0 mmcblk0 4294967295 0 8 5 1 0 8 1 0 2 2",
                    "179 0 mmcblk0 9 0 8 15 1 0 8 1 0 2 2", "read 10 in 10"},
                Row{"a 64-bit count does not wrap there",
                    "179 0 mmcblk0 4294967296 0 8 5 1 0 8 1 0 2 2",
                    "179 0 mmcblk0 9 0 8 15 1 0 8 1 0 2 2", "(read) went backwards"},
                Row{"a small count cannot have wrapped", "179 0 mmcblk0 1000 0 8 5 1 0 8 1 0 2 2",
                    "179 0 mmcblk0 9 0 8 15 1 0 8 1 0 2 2", "(read) went backwards"},
                Row{"time that went backwards", "179 0 mmcblk0 1000 0 8 5000 1 0 8 1 0 2 2",
                    "179 0 mmcblk0 1009 0 8 15 1 0 8 1 0 2 2", "(read) went backwards"},
                Row{"a device that came back",
                    "179 0 mmcblk0 3000000000 0 8 5 3000000000 0 8 1 0 2 2",
                    "179 0 mmcblk0 9 0 8 15 9 0 8 1 0 2 2", "mmcblk0 began anew"},
                Row{"another device under the number", "179 0 mmcblk0 1 0 8 5 1 0 8 1 0 2 2",
                    "179 0 mmcblk1 9 0 8 15 9 0 8 1 0 2 2", "nothing in common"},
                Row{"counted since the second look only", "179 0 mmcblk0 1 0 8 1 1 0 8 1 0 2 2",
                    "179 0 mmcblk0 2 0 8 2 1 0 8 1 0 2 2 9 0 8 9 9 9", "read 1 in 1"}));

TEST(DiskLatencySpanTest, NeedsTimeBetweenTheLooks) {
    const DiskStats look = Look("179 0 mmcblk0 1 0 8 1 1 0 8 1 0 2 2");
    EXPECT_THAT(Text(DiskLatency(look, look, kWall, seconds(0))), HasSubstr("no time between"));
}

}  // namespace
}  // namespace storekeeper
