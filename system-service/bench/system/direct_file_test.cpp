// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/direct_file.h"

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

}  // namespace
}  // namespace storekeeper
