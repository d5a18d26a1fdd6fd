// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/atomic_file.h"

#include <android-base/file.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "testing/tree.h"

namespace storekeeper {
namespace {

constexpr char kFile[] = "/data/misc/storekeeper/receipts";

class AtomicFileTest : public testing::Test {
  protected:
    AtomicFileTest() { tree_.MakeDirectory("/data/misc/storekeeper"); }

    void Replace(const std::string& content) {
        auto replaced = ReplaceFile(path_, content);
        ASSERT_TRUE(replaced.ok()) << replaced.error();
    }
    void Append(const std::string& content) {
        auto appended = AppendToFile(path_, content);
        ASSERT_TRUE(appended.ok()) << appended.error();
    }
    std::string Lines() { return ReadWholeLines(path_).value_or("unreadable"); }

    // Blocks that the file and the one beside it hold.
    int64_t Blocks() const {
        int64_t blocks = 0;
        for (const std::string& path : {path_, path_ + ".new"}) {
            struct stat found {};
            if (stat(path.c_str(), &found) == 0) blocks += found.st_blocks;
        }
        return blocks;
    }
    int64_t Size() const { return static_cast<int64_t>(tree_.Read(kFile).size()); }

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
        EXPECT_EQ("short\n", WithoutPadding(tree_.Read(kFile)));
    }
}

TEST_F(AtomicFileTest, AppendsBehindTheLastLineAndNotBehindThePadding) {
    Replace(long_);
    Replace(long_);
    Replace("first\n");
    const int64_t size = Size();
    Append("second\n");
    Append("third\n");
    EXPECT_EQ("first\nsecond\nthird\n", Lines());
    EXPECT_EQ(size, Size());
}

TEST_F(AtomicFileTest, DoesNotGrowWithItsUse) {
    const std::string line = std::string(99, 'x') + "\n";
    for (int round = 0; round < 20; ++round) {
        Replace(line);
        for (int i = 0; i < 50; ++i) Append(line);
    }
    EXPECT_EQ(51 * 100, Size());
}

TEST_F(AtomicFileTest, AReservedFileDoesNotGrowAtAll) {
    ASSERT_TRUE(ReplaceFile(path_, "first\n", 20'000).ok());
    EXPECT_EQ(20'000, Size());
    const int64_t before = Blocks();
    for (int i = 0; i < 100; ++i) Append(std::string(99, 'x') + "\n");
    EXPECT_EQ(20'000, Size());
    EXPECT_EQ(before, Blocks());
    EXPECT_EQ(6 + 100 * 100, static_cast<int64_t>(Lines().size()));
}

TEST_F(AtomicFileTest, AppendsAfterATornLineAsOneOfItsOwn) {
    tree_.Write(kFile, "whole\ntorn");
    Append("next\n");
    EXPECT_EQ("whole\ntorn\nnext\n", Lines());
}

TEST_F(AtomicFileTest, AppendingCreatesTheFile) {
    Append("first\n");
    EXPECT_EQ("first\n", Lines());
}

TEST_F(AtomicFileTest, LeavesOutALineWithoutItsEnd) {
    tree_.Write(kFile, "whole\ntorn");
    EXPECT_EQ("whole\n", Lines());
    tree_.Write(kFile, "torn");
    EXPECT_EQ("", Lines());
}

TEST_F(AtomicFileTest, CutsOffAFileOfSomebodyElse) {
    tree_.Write(kFile, std::string(2 << 20, 'y'));
    tree_.Write(std::string(kFile) + ".new", std::string(2 << 20, 'y'));
    Replace("ours\n");
    EXPECT_EQ("ours\n", tree_.Read(kFile));
}

TEST_F(AtomicFileTest, AnEmptyTextIsReadAsOne) {
    Replace(long_);
    Replace(long_);
    Replace("\n");
    EXPECT_EQ("", Lines());
}

}  // namespace
}  // namespace storekeeper
