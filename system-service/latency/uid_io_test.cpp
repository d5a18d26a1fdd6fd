// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/uid_io.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kStats[] =
        "10085 100 200 4096 8192 300 400 12288 16384 3 4\n"
        "0 1 2 4 8 16 32 64 128 256 512\n"
        "1000 0 0 0 0 0 0 0 0 0 0\n";

TEST(UidIoTest, AddsForegroundAndBackground) {
    EXPECT_THAT(*ParseUidIo(kStats), ElementsAre(UidIo{0, 68, 136, 768}, UidIo{1000, 0, 0, 0},
                                                 UidIo{10085, 16384, 24576, 7}));
    EXPECT_THAT(*ParseUidIo(""), IsEmpty());
}

TEST(UidIoTest, PassesOverTasks) {
    const std::string text = std::string("task,a name with spaces,42,1,2,3,4,5,6,7,8,9,10\n") +
                             kStats + "task,x," + std::string(1000, 'y') + "\n";
    EXPECT_EQ(*ParseUidIo(kStats), *ParseUidIo(text));
}

TEST(UidIoTest, ReadsUidsThatThePrintedSignMakesNegative) {
    EXPECT_EQ(4294967294U, ParseUidIo("-2 0 0 0 0 0 0 0 1 0 0\n")->front().uid);
    EXPECT_EQ(4294967294U, ParseUidIo("4294967294 0 0 0 0 0 0 0 1 0 0\n")->front().uid);
}

TEST(UidIoTest, SumsDoNotOverflow) {
    const char* most = "5 0 0 0 18446744073709551615 0 0 0 1 0 0\n";
    EXPECT_EQ(UINT64_MAX, ParseUidIo(most)->front().written_bytes);
}

TEST(UidIoTest, SaysWhatIsWrong) {
    struct Row {
        std::string text;
        const char* problem;
    };
    const Row rows[] = {
            {"5 0 0 0 0 0 0 0 0 0\n", "line 1"},
            {std::string(kStats) + "5 0 0 0 0 0 0 0 0 0 0 0\n", "line 4"},
            {"x 0 0 0 0 0 0 0 0 0 0\n", "line 1"},
            {"5 0 0 0 -1 0 0 0 0 0 0\n", "line 1"},
            {"5 0 0 0 99999999999999999999 0 0 0 0 0 0\n", "line 1"},
            {"\n", "line 1"},
            {std::string(1 << 20, '5') + "\n", "line 1"},
            {std::string(kStats) + "1000 0 0 0 0 0 0 0 0 0 0\n", "line 4 has uid 1000 a second"},
    };
    for (const Row& row : rows) {
        const auto read = ParseUidIo(row.text);
        ASSERT_FALSE(read.ok()) << row.text.substr(0, 40);
        EXPECT_THAT(read.error().message(), HasSubstr(row.problem));
    }
}

TEST(UidIoTest, ReportsWhatIsNew) {
    const std::vector<UidIo> before = {{1000, 10, 20, 1},
                                       {10001, 5, 5, 5},
                                       {10002, 9, 100, 9},
                                       {10003, 1, 1, 1},
                                       {10005, 1, 1, 1}};
    const std::vector<UidIo> after = {{1000, 11, 50, 3},
                                      {10001, 5, 5, 5},
                                      {10002, 10, 60, 9},
                                      {10004, 7, 8, 9},
                                      {10005, 1, 1, 2}};
    EXPECT_THAT(UidDelta(before, after), ElementsAre(UidIo{1000, 1, 30, 2}, UidIo{10002, 1, 0, 0},
                                                     UidIo{10004, 7, 8, 9}, UidIo{10005, 0, 0, 1}));
    EXPECT_THAT(UidDelta(after, after), IsEmpty());
}

}  // namespace
}  // namespace storekeeper
