// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/file_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(FileReaderTest, ReadsAnAttributeWithoutItsNewline) {
    Tree tree;
    tree.Write("/sys/a", "0x01 0x02\n");
    tree.Write("/sys/b", "no newline");
    EXPECT_EQ("0x01 0x02", *tree.files().ReadAttribute("/sys/a"));
    EXPECT_EQ("no newline", *tree.files().ReadAttribute("/sys/b"));
}

struct Garbage {
    const char* name;
    std::string content;
    const char* attribute_error;  // nullptr if it is a valid attribute
    const char* table_error;
};

class FileReaderGarbageTest : public testing::TestWithParam<Garbage> {};

TEST_P(FileReaderGarbageTest, IsAnErrorThatNamesTheFileAndTheCause) {
    Tree tree;
    tree.Write("/f", GetParam().content);
    Result<std::string> attribute = tree.files().ReadAttribute("/f");
    Result<std::string> table = tree.files().ReadTable("/f");
    ASSERT_EQ(GetParam().attribute_error == nullptr, attribute.ok());
    ASSERT_EQ(GetParam().table_error == nullptr, table.ok());
    if (!attribute.ok()) {
        EXPECT_THAT(attribute.error().message(), HasSubstr("/f "));
        EXPECT_THAT(attribute.error().message(), HasSubstr(GetParam().attribute_error));
    }
    if (!table.ok()) {
        EXPECT_THAT(table.error().message(), HasSubstr(GetParam().table_error));
    }
}

INSTANTIATE_TEST_SUITE_P(
        All, FileReaderGarbageTest,
        testing::Values(Garbage{"Empty", "", "is empty", "is empty"},
                        Garbage{"OnlyNewline", "\n", "is empty", nullptr},
                        Garbage{"NulByte", std::string("ab\0c\n", 5), "byte 0 at offset 2",
                                "byte 0 at offset 2"},
                        Garbage{"Escape", "\x1b[31m\n", "byte 27", nullptr},
                        Garbage{"Delete", "a\x7f\n", "byte 127", nullptr},
                        Garbage{"HighByte", "caf\xc3\xa9\n", "byte 195", nullptr},
                        Garbage{"TwoLines", "1\n2\n", "several lines", nullptr},
                        Garbage{"Truncated", "1 2 3\n4 5", "several lines", "truncated"},
                        Garbage{"OneMegabyteLine", std::string(1 << 20, 'a') + "\n",
                                "longer than 4096", nullptr},
                        Garbage{"FiveMegabytes", std::string(5 << 20, 'a') + "\n",
                                "longer than 4096", "longer than 4194304"}),
        [](const auto& row) { return row.param.name; });

TEST(FileReaderTest, NamesWhatCannotBeOpened) {
    Tree tree;
    tree.MakeDirectory("/dir");
    EXPECT_EQ(ENOENT, tree.files().ReadAttribute("/none").error().code());
    EXPECT_EQ(EISDIR, tree.files().ReadAttribute("/dir").error().code());
    EXPECT_EQ(ENOENT, tree.files().List("/none").error().code());
}

TEST(FileReaderTest, DoesNotWaitForTheWriterOfAFifo) {
    Tree tree;
    ASSERT_EQ(0, mkfifo(tree.PathOf("/fifo").c_str(), 0600));
    EXPECT_THAT(tree.files().ReadAttribute("/fifo").error().message(), HasSubstr("is empty"));
}

TEST(FileReaderTest, ListsSorted) {
    Tree tree;
    for (const char* name : {"/d/b", "/d/a", "/d/.c"}) tree.Write(name, "x");
    EXPECT_THAT(*tree.files().List("/d"), ElementsAre(".c", "a", "b"));
}

TEST(ReadCountTest, IsAbsentWhereThereIsNoNumber) {
    Tree tree;
    tree.Write("/n", "18446744073709551615\n");
    tree.Write("/below", "-1\n");
    tree.Write("/word", "many\n");
    EXPECT_EQ(UINT64_MAX, ReadCount(tree.files(), "/n"));
    for (const char* path : {"/below", "/word", "/none"}) {
        EXPECT_EQ(std::nullopt, ReadCount(tree.files(), path)) << path;
    }
}

}  // namespace
}  // namespace storekeeper
