// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/atomic_file.h"

#include <android-base/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;

constexpr char kFile[] = "/data/misc/storekeeper/state.log";

class AtomicFileTest : public testing::Test {
  protected:
    AtomicFileTest() { tree_.MakeDirectory("/data/misc/storekeeper"); }

    void Replace(const std::string& content) {
        auto replaced = ReplaceFile(RealCalls(), path_, content);
        ASSERT_TRUE(replaced.ok()) << replaced.error();
    }
    std::string Lines() { return std::string(WithoutPadding(tree_.Read(kFile))); }

    // Blocks that the file and the one beside it hold.
    int64_t Blocks() const {
        int64_t blocks = 0;
        for (const std::string& path : {path_, path_ + ".new"}) {
            struct stat found {};
            if (stat(path.c_str(), &found) == 0) blocks += found.st_blocks;
        }
        return blocks;
    }

    Tree tree_;
    const std::string path_ = tree_.PathOf(kFile);
    const std::string long_ = std::string(9000, 'x') + "\n";
};

TEST_F(AtomicFileTest, FreesNoBlockWhenTheContentBecomesShorter) {
    Replace(long_);
    Replace(long_);
    const int64_t before = Blocks();
    for (int i = 0; i < 3; ++i) {
        Replace("short\n");
        EXPECT_EQ(before, Blocks());
        EXPECT_EQ("short\n", Lines());
    }
}

TEST_F(AtomicFileTest, AReservedFileDoesNotGrow) {
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(ReplaceFile(RealCalls(), path_, "line\n", 20'000).ok());
        EXPECT_EQ(20'000U, tree_.Read(kFile).size());
        EXPECT_EQ("line\n", Lines());
    }
}

TEST_F(AtomicFileTest, CutsOffAFileOfSomebodyElse) {
    const std::string longer(kMaxStateFileBytes + 1, 'y');
    tree_.Write(kFile, longer);
    tree_.Write(std::string(kFile) + ".new", longer);
    Replace("ours\n");
    EXPECT_EQ("ours\n", tree_.Read(kFile));
}

TEST(StateFileTest, ReadsARegularFileUpToItsBound) {
    Tree tree;
    tree.Write("/empty", "");
    tree.Write("/full", std::string(100, 'x'));
    tree.Write("/longer", std::string(101, 'x'));
    EXPECT_EQ("", *ReadStateFile(RealCalls(), tree.PathOf("/empty"), 100));
    EXPECT_EQ(std::string(100, 'x'), *ReadStateFile(RealCalls(), tree.PathOf("/full"), 100));
    const Result<std::string> longer = ReadStateFile(RealCalls(), tree.PathOf("/longer"), 100);
    ASSERT_FALSE(longer.ok());
    EXPECT_TRUE(IsUnusable(longer.error()));
    EXPECT_EQ(tree.PathOf("/longer") + " is longer than 100 bytes", longer.error().message());
}

TEST(StateFileTest, WhatIsNoRegularFileIsRefusedAtOnce) {
    Tree tree;
    ASSERT_EQ(0, mkfifo(tree.PathOf("/fifo").c_str(), 0600));
    tree.MakeDirectory("/folder");
    tree.Write("/target", "x");
    tree.Link("/link", tree.PathOf("/target"));
    tree.Link("/device", "/dev/zero");
    for (const char* path : {"/fifo", "/folder", "/link", "/device"}) {
        const Result<std::string> text = ReadStateFile(RealCalls(), tree.PathOf(path));
        ASSERT_FALSE(text.ok()) << path;
        EXPECT_TRUE(IsUnusable(text.error())) << path;
        EXPECT_THAT(text.error().message(), HasSubstr("is not a regular file"));
    }
}

TEST(StateFileTest, ASparseGibibyteIsRefusedWithoutBeingRead) {
    Tree tree;
    tree.Write("/sparse", "");
    ASSERT_EQ(0, truncate(tree.PathOf("/sparse").c_str(), 1 << 30));
    EXPECT_THAT(ReadStateFile(RealCalls(), tree.PathOf("/sparse")).error().message(),
                HasSubstr("is longer than 65536 bytes"));
}

TEST(StateFileTest, WhatCannotBeReadNowIsNotUnusable) {
    Tree tree;
    const Result<std::string> none = ReadStateFile(RealCalls(), tree.PathOf("/none"));
    EXPECT_EQ(ENOENT, none.error().code());
    EXPECT_FALSE(IsUnusable(none.error()));
}

TEST(StateFileTest, RoomIsMadeWhateverStandsThereAndAside) {
    Tree tree;
    tree.MakeDirectory("/state/inner");
    tree.Write("/state.corrupt/earlier", "x");
    EXPECT_EQ("; it was set aside as " + tree.PathOf("/state.corrupt"),
              MakeRoom(RealCalls(), tree.PathOf("/state")));
    EXPECT_FALSE(tree.files().Exists("/state"));
    EXPECT_TRUE(tree.files().Exists("/state.corrupt/inner"));
    EXPECT_THAT(MakeRoom(RealCalls(), tree.PathOf("/none")),
                HasSubstr("; setting it aside failed: "));
}

}  // namespace
}  // namespace storekeeper
