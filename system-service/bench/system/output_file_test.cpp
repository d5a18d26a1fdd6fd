// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/output_file.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

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
