// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/wear_sample.h"

#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

constexpr char kExt4[] = "/sys/fs/ext4/dm-0/lifetime_write_kbytes";
constexpr char kF2fs[] = "/sys/fs/f2fs/dm-0/lifetime_write_kbytes";

TEST(LifetimeWritesTest, AreTheFileSystemsInBytes) {
    Tree tree;
    tree.Write(kExt4, "1234\n");
    tree.Write(kF2fs, "9\n");
    EXPECT_EQ(1234u * 1024, *ReadLifetimeWrites(tree.files(), "ext4", "dm-0"));
    EXPECT_EQ(9u * 1024, *ReadLifetimeWrites(tree.files(), "f2fs", "dm-0"));
}

struct Odd {
    const char* type;
    const char* text;
    const char* problem;
};

class LifetimeWritesOddTest : public testing::TestWithParam<Odd> {};

TEST_P(LifetimeWritesOddTest, IsAnErrorThatSaysWhy) {
    Tree tree;
    tree.Write(kF2fs, GetParam().text);
    auto read = ReadLifetimeWrites(tree.files(), GetParam().type, "dm-0");
    ASSERT_FALSE(read.ok());
    EXPECT_NE(std::string::npos, read.error().message().find(GetParam().problem))
            << read.error().message();
}

INSTANTIATE_TEST_SUITE_P(
        All, LifetimeWritesOddTest,
        testing::Values(Odd{"vfat", "1\n", "vfat on dm-0 does not count"},
                        Odd{"ext4", "1\n", kExt4}, Odd{"f2fs", "-8\n", "'-8' is not a number"},
                        Odd{"f2fs", "18446744073709551608\n", "more than any flash can bear"},
                        Odd{"f2fs", "\n", kF2fs}));

}  // namespace
}  // namespace storekeeper
