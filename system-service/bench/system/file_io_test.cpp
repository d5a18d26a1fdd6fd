// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/file_io.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

TEST(DirectFileTest, ReadsWholeBlocks) {
    Tree tree;
    tree.Write("/f", std::string(DirectFile::kBlock, 'a') + std::string(DirectFile::kBlock, 'b') +
                             "rest");
    auto file = DirectFile::Open(tree.PathOf("/f"));
    if (!file.ok() && file.error().code() == EINVAL) GTEST_SKIP() << "no direct I/O there";
    ASSERT_TRUE(file.ok()) << file.error();
    EXPECT_EQ(2u, file->blocks());
    for (const auto& [number, letter] : {std::pair{1, 'b'}, {0, 'a'}, {1, 'b'}}) {
        auto block = file->Read(number);
        ASSERT_TRUE(block.ok()) << block.error();
        EXPECT_GE(block->took.count(), 0);
        const std::string expected(DirectFile::kBlock, letter);
        EXPECT_EQ(0, memcmp(expected.data(), block->data.data(), DirectFile::kBlock)) << number;
    }
}

TEST(DirectFileTest, SaysWhatIsNotThere) {
    Tree tree;
    auto none = DirectFile::Open(tree.PathOf("/none"));
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(ENOENT, none.error().code());
    EXPECT_THAT(none.error().message(), HasSubstr("/none"));
    tree.Write("/f", std::string(2 * DirectFile::kBlock, 'a'));
    auto file = DirectFile::Open(tree.PathOf("/f"));
    if (!file.ok() && file.error().code() == EINVAL) GTEST_SKIP() << "no direct I/O there";
    ASSERT_TRUE(file.ok()) << file.error();
    ASSERT_EQ(0, truncate(tree.PathOf("/f").c_str(), DirectFile::kBlock + 1));
    auto gone = file->Read(1);
    ASSERT_FALSE(gone.ok());
    EXPECT_EQ(EIO, gone.error().code());
}

TEST(FileCopyTest, CopiesWhatIsThereAndNamesWhatIsNot) {
    Tree tree;
    ASSERT_TRUE(WriteRandomFile(tree.PathOf("/a"), 300'000, 1).ok());
    ASSERT_TRUE(WriteRandomFile(tree.PathOf("/other"), 300'000, 2).ok());
    ASSERT_TRUE(ForgetCached(tree.PathOf("/a")).ok());
    ASSERT_TRUE(CopyFile(tree.PathOf("/a"), tree.PathOf("/b")).ok());
    EXPECT_EQ(300'000u, tree.Read("/a").size());
    EXPECT_EQ(tree.Read("/a"), tree.Read("/b"));
    EXPECT_NE(tree.Read("/a"), tree.Read("/other"));
    auto copied = CopyFile(tree.PathOf("/nowhere"), tree.PathOf("/c"));
    ASSERT_FALSE(copied.ok());
    EXPECT_EQ(ENOENT, copied.error().code());
}

TEST(OutputFileTest, TakesThePlaceOfWhatIsThere) {
    Tree tree;
    tree.Write("/old", "a longer text");
    for (const char* path : {"/old", "/new"}) {
        auto file = OutputFile::Open(tree.PathOf(path));
        ASSERT_TRUE(file.ok()) << file.error();
        ASSERT_TRUE(file->Write("text").ok());
    }
    EXPECT_EQ("text", tree.Read("/old"));
    EXPECT_EQ("text", tree.Read("/new"));
}

TEST(OutputFileTest, LeavesAllAsItWasWhenNothingIsWritten) {
    Tree tree;
    tree.Write("/old", "text");
    {
        auto old = OutputFile::Open(tree.PathOf("/old"));
        auto made = OutputFile::Open(tree.PathOf("/new"));
        ASSERT_TRUE(old.ok() && made.ok());
        const OutputFile moved = std::move(*made);
        EXPECT_TRUE(tree.files().Exists("/new"));
    }
    EXPECT_EQ("text", tree.Read("/old"));
    EXPECT_FALSE(tree.files().Exists("/new"));
}

TEST(OutputFileTest, SaysWhatCannotBeWritten) {
    Tree tree;
    ASSERT_EQ(0, symlink("/dev/null", tree.PathOf("/link").c_str()));
    struct Row {
        std::string path;
        int code;
    };
    for (const Row& row : {Row{tree.PathOf("/none/x"), ENOENT}, Row{tree.root(), EISDIR},
                           Row{tree.PathOf("/link"), ELOOP}, Row{"/dev/full", ENOSPC}}) {
        auto file = OutputFile::Open(row.path);
        ASSERT_FALSE(file.ok()) << row.path;
        EXPECT_EQ(row.code, file.error().code()) << row.path;
        EXPECT_THAT(file.error().message(), HasSubstr("cannot write " + row.path));
    }
}

}  // namespace

}  // namespace storekeeper
