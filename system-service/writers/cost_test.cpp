// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "writers/cost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint64_t kMib = 1 << 20;
constexpr uint64_t kPerFsync = 10'000;

TEST(AttributeBytesTest, SharesWhatTheDeviceWasWritten) {
    const struct {
        const char* name;
        std::vector<UidIo> writers;
        std::optional<uint64_t> device;
        std::vector<uint64_t> bytes;
    } rows[] = {
            {"without the device's count each has its own",
             {{1, 0, 300, 9}, {2, 0, 100, 0}},
             std::nullopt,
             {300, 100}},
            {"a device that counts nothing", {{1, 0, 300, 9}}, 0, {300}},
            {"what is more goes by bytes",
             {{1, 0, 30'000, 0}, {2, 0, 10'000, 0}},
             80'000,
             {60'000, 20'000}},
            {"fsyncs have theirs first",
             {{1, 0, 30'000, 0}, {2, 0, 10'000, 3}},
             70'000,
             {30'000, 40'000}},
            {"and the rest goes by bytes",
             {{1, 0, 30'000, 1}, {2, 0, 10'000, 1}},
             100'000,
             {70'000, 30'000}},
            {"too little for all fsyncs",
             {{1, 0, 10'000, 1}, {2, 0, 10'000, 3}},
             24'000,
             {11'000, 13'000}},
            {"less than they wrote",
             {{1, 0, 30'000, 0}, {2, 0, 10'000, 900}},
             20'000,
             {15'000, 5'000}},
            {"bytes by fsyncs alone", {{1, 0, 0, 1}, {2, 0, 0, 3}}, 80'000, {20'000, 60'000}},
            {"who did nothing", {{1, 77, 0, 0}, {2, 0, 1, 0}}, 50, {0, 50}},
            {"nobody did anything", {{1, 77, 0, 0}}, 50, {0}},
            {"nobody", {}, 50, {}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(row.bytes, AttributeBytes(row.writers, row.device, kPerFsync)) << row.name;
    }
}

TEST(AttributeBytesTest, IsNeverMoreThanThereIs) {
    std::vector<UidIo> writers;
    for (uint32_t uid = 0; uid < 200; ++uid) {
        writers.push_back({uid, 0, (uint64_t{1} << 50) / (uid + 3), uid * 977 % 101});
    }
    for (uint64_t device = 1; device < uint64_t{1} << 60; device = device * 5 + 3) {
        const std::vector<uint64_t> bytes = AttributeBytes(writers, device, kPerFsync);
        const uint64_t sum = std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
        EXPECT_LE(sum, device);
        EXPECT_GE(sum + 2 * writers.size() + (device >> 44), device);
    }
}

TEST(AttributeBytesTest, AnFsyncCostsWhatTheFileSystemMakesOfIt) {
    EXPECT_EQ(0U, BytesPerFsync("f2fs"));
    EXPECT_EQ(20'480U, BytesPerFsync("ext4"));
}

TEST(FsyncStormTest, NeedsManyFsyncsForFewBytes) {
    EXPECT_FALSE(IsFsyncStorm(9'999, 0, 4096));
    EXPECT_TRUE(IsFsyncStorm(10'000, 0, 4096));
    EXPECT_TRUE(IsFsyncStorm(10'000, 9'999 * 16'384, 4096));
    EXPECT_FALSE(IsFsyncStorm(10'000, 10'000 * 16'384, 4096));
}

TEST(FsyncStormTest, OnePageAnFsyncIsAStormWhateverAPageIs) {
    for (const uint64_t page_bytes : {4096U, 16'384U}) {
        EXPECT_TRUE(IsFsyncStorm(10'000, 10'000 * 2 * page_bytes, page_bytes)) << page_bytes;
    }
}

TEST(CostOfUidsTest, CostsAreSharesOfTheChipsLife) {
    const std::vector<UidRow> totals =
            {{.uid = 1000, .written_bytes = 2 * kMib, .device_bytes = 2 * kMib},
             {.uid = 10001, .written_bytes = 2 * kMib, .fsyncs = 80'000, .device_bytes = 4 * kMib},
             {.uid = 0, .written_bytes = 2 * kMib, .device_bytes = 2 * kMib},
             {.uid = UidRow::kOthers, .written_bytes = 90 * kMib, .device_bytes = 90 * kMib}};
    // 730 MiB wear 10 %, so 2 MiB a day wear 10 % a year.
    EXPECT_THAT(CostOfUids(totals, 2, 730 * kMib, 2),
                ElementsAre(UidCost{.uid = 10001,
                                    .bytes_per_day = kMib,
                                    .device_bytes_per_day = 2 * kMib,
                                    .fsyncs_per_day = 40'000,
                                    .fsync_storm = true,
                                    .life_pct_per_year = 10},
                            UidCost{.uid = 0,
                                    .bytes_per_day = kMib,
                                    .device_bytes_per_day = kMib,
                                    .life_pct_per_year = 5}));
    EXPECT_EQ(std::nullopt, CostOfUids(totals, 2, std::nullopt, 9)[0].life_pct_per_year);
    EXPECT_EQ(std::nullopt, CostOfUids(totals, 2, 0, 9)[0].life_pct_per_year);
    EXPECT_EQ(3U, CostOfUids(totals, 2, 0, 9).size());
    EXPECT_THAT(CostOfUids(totals, 0, 730 * kMib, 2), IsEmpty());
}

}  // namespace
}  // namespace storekeeper
