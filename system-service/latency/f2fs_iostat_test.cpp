// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/f2fs_iostat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace storekeeper {
namespace {

using testing::HasSubstr;

// As 4.14, 5.10, 5.15 with compression and 6.6 print it.
constexpr char kFirst[] =
        "time:\t\t1767225600      \n"
        "app buffered:\t4096            \n"
        "app direct:\t8192            \n"
        "app mapped:\t0               \n"
        "fs data:\t16384           \n"
        "fs node:\t32768           \n"
        "fs meta:\t0               \n"
        "fs gc data:\t65536           \n"
        "fs gc node:\t131072          \n"
        "fs cp data:\t1048576         \n"
        "fs cp node:\t2097152         \n"
        "fs cp meta:\t4194304         \n"
        "fs discard:\t7               \n";
constexpr char kSections[] =
        "time:\t\t1767225600      \n"
        "[WRITE]\n"
        "app buffered:\t4096            \n"
        "app direct:\t8192            \n"
        "app mapped:\t0               \n"
        "fs data:\t16384           \n"
        "fs node:\t32768           \n"
        "fs meta:\t0               \n"
        "fs gc data:\t65536           \n"
        "fs gc node:\t131072          \n"
        "fs cp data:\t1048576         \n"
        "fs cp node:\t2097152         \n"
        "fs cp meta:\t4194304         \n"
        "[READ]\n"
        "app buffered:\t999             \n"
        "fs data:\t999             \n"
        "fs gc data:\t999             \n"
        "[OTHER]\n"
        "fs discard:\t7               \n";
constexpr char kColumns[] =
        "time:\t\t1767225600      \n"
        "\t\t\tio_bytes         count            avg_bytes       \n"
        "[WRITE]\n"
        "app buffered data:      4096             1                4096            \n"
        "app direct data:        8192             2                4096            \n"
        "app mapped data:        0                0                0               \n"
        "app buffered cdata:     4096             1                4096            \n"
        "app mapped cdata:       0                0                0               \n"
        "fs data:                16384            4                4096            \n"
        "fs cdata:               16384            4                4096            \n"
        "fs node:                32768            8                4096            \n"
        "fs meta:                0                0                0               \n"
        "fs gc data:             65536            1                65536           \n"
        "fs gc node:             131072           1                131072          \n"
        "fs cp data:             1048576          1                1048576         \n"
        "fs cp node:             2097152          1                2097152         \n"
        "fs cp meta:             4194304          1                4194304         \n"
        "[READ]\n"
        "app buffered data:      999              1                999             \n"
        "fs data:                999              1                999             \n"
        "[OTHER]\n"
        "fs discard:             8388608          7                1198372         \n"
        "fs flush:               0                9                0               \n";

constexpr F2fsIostat kWritten = {.app_bytes = 12288,
                                 .fs_bytes = 49152,
                                 .gc_bytes = 196608,
                                 .checkpoint_bytes = 7340032};

TEST(F2fsIostatTest, ReadsEveryLayout) {
    EXPECT_EQ(kWritten, *ParseF2fsIostat(kFirst));
    EXPECT_EQ(kWritten, *ParseF2fsIostat(kSections));
    F2fsIostat with_discards = kWritten;
    with_discards.discarded_bytes = 8388608;
    EXPECT_EQ(with_discards, *ParseF2fsIostat(kColumns));
}

TEST(F2fsIostatTest, ReadsThatAreNotHeadedAreNotTakenForWrites) {
    const std::string reads = "app buffered:\t999\nfs data:\t999\n";
    EXPECT_EQ(kWritten, *ParseF2fsIostat(kFirst + reads));
}

TEST(F2fsIostatTest, SaysWhatIsWrong) {
    struct Row {
        std::string text;
        const char* problem;
    };
    const Row rows[] = {
            {"", "iostat is off"},
            {"time:\t\t1767225600\n", "no line 'fs data'"},
            {"fs data:\n", "'fs data' has no number"},
            {"fs data:\t-1\n", "'fs data' has no number"},
            {"fs data:\t18446744073709551615\nfs node:\t1\n", "'fs node' has too large"},
            {std::string(1 << 16, 'x') + "\n", "a line of that length"},
    };
    for (const Row& row : rows) {
        const auto read = ParseF2fsIostat(row.text);
        ASSERT_FALSE(read.ok()) << row.text.substr(0, 40);
        EXPECT_THAT(read.error().message(), HasSubstr(row.problem));
    }
}

}  // namespace
}  // namespace storekeeper
