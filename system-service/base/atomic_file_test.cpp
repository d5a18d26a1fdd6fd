// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/atomic_file.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::unique_fd;
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

    Tree tree_;
    const std::string path_ = tree_.PathOf(kFile);
    const std::string long_ = std::string(9000, 'x') + "\n";
};

// The occupant of the temporary file's path comes from a crash or was planted.
TEST_F(AtomicFileTest, NeverWritesThroughWhatStandsInTheTemporaryFilesPlace) {
    const std::string temporary = path_ + ".new";
    const auto plant = [&](const char* name) {
        const std::string target = tree_.PathOf("/target");
        if (name == std::string("hard link")) EXPECT_EQ(0, link(target.c_str(), temporary.c_str()));
        if (name == std::string("symbolic link")) tree_.Link(std::string(kFile) + ".new", target);
        if (name == std::string("link to nothing")) tree_.Link(std::string(kFile) + ".new", "none");
        if (name == std::string("fifo")) EXPECT_EQ(0, mkfifo(temporary.c_str(), 0600));
        if (name == std::string("left over")) tree_.Write(std::string(kFile) + ".new", long_);
    };
    for (const char* name :
         {"hard link", "symbolic link", "link to nothing", "fifo", "left over"}) {
        tree_.Write("/target", "somebody else's\n");
        plant(name);
        Replace("ours\n");
        EXPECT_EQ("ours\n", tree_.Read(kFile)) << name;
        EXPECT_EQ("somebody else's\n", tree_.Read("/target")) << name;
        EXPECT_FALSE(tree_.files().Exists(std::string(kFile) + ".new")) << name;
    }
}

TEST_F(AtomicFileTest, AFolderInTheTemporaryFilesPlaceIsAnError) {
    tree_.MakeDirectory(std::string(kFile) + ".new/inner");
    EXPECT_FALSE(ReplaceFile(RealCalls(), path_, "ours\n").ok());
}

TEST_F(AtomicFileTest, TheModeIsAsGiven) {
    ASSERT_TRUE(ReplaceFile(RealCalls(), path_, "x\n", 0, 0660).ok());
    struct stat found {};
    ASSERT_EQ(0, stat(path_.c_str(), &found));
    EXPECT_EQ(0660U, found.st_mode & 0777);
}

TEST_F(AtomicFileTest, AReservedFileDoesNotGrow) {
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(ReplaceFile(RealCalls(), path_, "line\n", 20'000).ok());
        EXPECT_EQ(20'000U, tree_.Read(kFile).size());
        EXPECT_EQ("line\n", Lines());
    }
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

TEST(StateFileTest, OnlyARegularFileIsRead) {
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

TEST(StateFileTest, AHardLinkIsRefused) {
    Tree tree;
    tree.Write("/target", "x");
    ASSERT_EQ(0, link(tree.PathOf("/target").c_str(), tree.PathOf("/file").c_str()));
    const Result<unique_fd> opened = OpenStateFile(RealCalls(), tree.PathOf("/file"), O_WRONLY);
    ASSERT_FALSE(opened.ok());
    EXPECT_TRUE(IsUnusable(opened.error()));
    EXPECT_THAT(opened.error().message(), HasSubstr("has another name"));
    MakeRoomForFile(RealCalls(), tree.PathOf("/file"));
    EXPECT_FALSE(tree.files().Exists("/file"));
    EXPECT_EQ("x", tree.Read("/target"));
}

TEST(StateFileTest, ASparseGibibyteIsRefusedWithoutBeingRead) {
    Tree tree;
    tree.Write("/sparse", "");
    ASSERT_EQ(0, truncate(tree.PathOf("/sparse").c_str(), 1 << 30));
    EXPECT_THAT(ReadStateFile(RealCalls(), tree.PathOf("/sparse")).error().message(),
                HasSubstr("is longer than 65536 bytes"));
}

TEST(StateFileTest, AMissingFileIsNotUnusable) {
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
