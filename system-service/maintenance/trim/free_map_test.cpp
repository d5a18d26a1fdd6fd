// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/free_map.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace storekeeper {
namespace {

using android::base::Result;

constexpr uint64_t kKib = 1024;
constexpr uint64_t kBlock = 4 * kKib;
constexpr TrimRange kGroup = {.start = 128 << 20, .length = 128 << 20, .min_bytes = kBlock};

fsmap Record(uint64_t owner, uint64_t start, uint64_t length) {
    return {.fmr_physical = kGroup.start + start, .fmr_owner = owner, .fmr_length = length};
}

Result<FreeMap> MapOf(const TrimRange& range, const std::vector<fsmap>& records) {
    FreeMapMaker maker(range);
    for (const fsmap& record : records) maker.Add(record);
    return maker.Done();
}

TEST(FreeMapTest, HasTheFreeExtentsAndNothingElse) {
    const Result<FreeMap> map = MapOf(kGroup, {Record(FMR_OWN_METADATA, 0, 64 * kKib),
                                               Record(FMR_OWN_FREE, 64 * kKib, 128 * kKib),
                                               Record(FMR_OWN_UNKNOWN, 192 * kKib, kBlock),
                                               Record(FMR_OWN_FREE, 512 * kKib, 1024 * kKib)});
    const FreeMap wanted = {.bytes = 1152 * kKib,
                            .longest = 1024 * kKib,
                            .pieces = {{.start = kGroup.start + 64 * kKib,
                                        .length = 128 * kKib,
                                        .bytes = 128 * kKib,
                                        .extents = 1},
                                       {.start = kGroup.start + 512 * kKib,
                                        .length = 1024 * kKib,
                                        .bytes = 1024 * kKib,
                                        .extents = 1}}};
    ASSERT_TRUE(map.ok()) << map.error();
    EXPECT_EQ(wanted, *map);
    EXPECT_EQ(FreeMap(), MapOf(kGroup, {}).value());
}

// The kernel reports an extent that goes on in the next group once, and does not cut it.
TEST(FreeMapTest, EndsWithTheRange) {
    const fsmap all = {.fmr_physical = 0,
                       .fmr_owner = FMR_OWN_FREE,
                       .fmr_length = uint64_t{1} << 40};
    const Result<FreeMap> map = MapOf(kGroup, {all});
    ASSERT_TRUE(map.ok());
    ASSERT_EQ(1U, map->pieces.size());
    EXPECT_EQ(kGroup.start, map->pieces[0].start);
    EXPECT_EQ(kGroup.length, map->pieces[0].length);
    EXPECT_EQ(kGroup.length, map->longest);
    for (const fsmap& outside :
         {Record(FMR_OWN_FREE, kGroup.length, kBlock),
          fsmap{.fmr_physical = kBlock, .fmr_owner = FMR_OWN_FREE, .fmr_length = kBlock},
          Record(FMR_OWN_FREE, 0, 0)}) {
        EXPECT_EQ(FreeMap(), MapOf(kGroup, {outside}).value());
    }
    // A length that would wrap around.
    fsmap endless = Record(FMR_OWN_FREE, kBlock, ~uint64_t{0});
    EXPECT_EQ(kGroup.length - kBlock, MapOf(kGroup, {endless})->bytes);
}

TEST(FreeMapTest, ExtentsThatNoDiscardReachesCountAsFreeOnly) {
    TrimRange range = kGroup;
    range.min_bytes = 512 * kKib;
    const FreeMap map = MapOf(range, {Record(FMR_OWN_FREE, 0, 508 * kKib),
                                      Record(FMR_OWN_FREE, 1024 * kKib, 512 * kKib)})
                                .value();
    EXPECT_EQ(1020 * kKib, map.bytes);
    ASSERT_EQ(1U, map.pieces.size());
    EXPECT_EQ(512 * kKib, map.pieces[0].bytes);
}

TEST(FreeMapTest, SixteenShortExtentsShareAPiece) {
    std::vector<fsmap> records;
    for (uint64_t i = 0; i < 20; ++i) {
        records.push_back(Record(FMR_OWN_FREE, i * 2 * kBlock, kBlock));
    }
    // Long ones stay alone on both sides.
    records.push_back(Record(FMR_OWN_FREE, 1024 * kKib, 64 * kKib));
    records.push_back(Record(FMR_OWN_FREE, 2048 * kKib, kBlock));
    const FreeMap map = MapOf(kGroup, records).value();
    ASSERT_EQ(4U, map.pieces.size());
    EXPECT_EQ((FreePiece{.start = kGroup.start,
                         .length = 31 * kBlock,
                         .bytes = 16 * kBlock,
                         .extents = 16}),
              map.pieces[0]);
    EXPECT_EQ(4U, map.pieces[1].extents);
    EXPECT_EQ(1U, map.pieces[2].extents);
    EXPECT_EQ(kBlock, map.pieces[3].bytes);
}

TEST(FreeMapTest, TooManyPiecesAreAnError) {
    std::vector<fsmap> records;
    for (uint64_t i = 0; i < kMaxPieces; ++i) {
        records.push_back(Record(FMR_OWN_FREE, i * 128 * kKib / 4, 64 * kKib));
    }
    // Of a larger file system: the range is made to fit.
    TrimRange range = kGroup;
    range.length = uint64_t{1} << 40;
    EXPECT_EQ(kMaxPieces, MapOf(range, records)->pieces.size());
    records.push_back(Record(FMR_OWN_FREE, uint64_t{1} << 39, 64 * kKib));
    const Result<FreeMap> map = MapOf(range, records);
    ASSERT_FALSE(map.ok());
    EXPECT_EQ(E2BIG, map.error().code());
    EXPECT_EQ(0U, map.error().message().find("more than 2048 free pieces"));
}

// The real ioctl, where nothing answers it.
TEST(FreeMapTest, AFileSystemThatDoesNotReportIsAnError) {
    const int fd = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    const Result<FreeMap> map = ReadFreeMap(fd, kGroup);
    close(fd);
    ASSERT_FALSE(map.ok());
    EXPECT_EQ(ENOTTY, map.error().code()) << map.error();
    EXPECT_FALSE(ReadFreeMap(-1, kGroup).ok());
}

}  // namespace
}  // namespace storekeeper
