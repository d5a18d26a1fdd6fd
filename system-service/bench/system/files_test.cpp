// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/files.h"

#include <android-base/file.h>
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

#include "bench/system/processes.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

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

TEST(OwnFolderTest, GoesWithWhatIsOurs) {
    Tree tree;
    auto folder = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_TRUE(folder.ok()) << folder.error();
    EXPECT_EQ(tree.PathOf("/own/storekeeper_bench.data"),
              folder->WithRealPath(folder->PathOf("data")));
    EXPECT_EQ(0, access(folder->PathOf("marker").c_str(), F_OK));
    tree.Write("/own/storekeeper_bench.data", "12345");
    tree.Write("/own/storekeeper_bench.fill-1", "1");
    EXPECT_THAT(*folder->Files(), ElementsAre(Pair("data", 5u), Pair("fill-1", 1u)));
    ASSERT_TRUE(folder->RemoveFile("fill-1").ok());
    ASSERT_TRUE(folder->RemoveFile("fill-1").ok());
    EXPECT_THAT(*folder->Files(), ElementsAre(Pair("data", 5u)));
    ASSERT_TRUE(folder->Remove().ok());
    EXPECT_FALSE(tree.files().Exists("/own"));
}

TEST(OwnFolderTest, NeverRemovesWhatOthersMade) {
    Tree tree;
    auto folder = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_TRUE(folder.ok()) << folder.error();
    tree.Write("/own/photo.jpg", "a memory");
    tree.Write("/own/storekeeper_bench.data", "x");
    tree.Write("/else/photo.jpg", "another");
    ASSERT_EQ(0, symlink(tree.PathOf("/else").c_str(),
                         tree.PathOf("/own/storekeeper_bench.link").c_str()));
    auto removed = folder->Remove();
    ASSERT_FALSE(removed.ok());
    EXPECT_EQ("a memory", tree.Read("/own/photo.jpg"));
    EXPECT_EQ("another", tree.Read("/else/photo.jpg"));
    EXPECT_FALSE(tree.files().Exists("/own/storekeeper_bench.data"));
    // The folder is still recognized as ours and is removed once the other file is gone.
    tree.Remove("/own/photo.jpg");
    tree.Remove("/own/storekeeper_bench.link");
    EXPECT_TRUE(folder->Remove().ok());
}

TEST(OwnFolderTest, RefusesAFolderOfOthers) {
    Tree tree;
    tree.Write("/own/photo.jpg", "a memory");
    auto folder = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_FALSE(folder.ok());
    EXPECT_EQ(EEXIST, folder.error().code());
    EXPECT_THAT(folder.error().message(), HasSubstr("was not made by storekeeper_bench"));
    EXPECT_FALSE(OwnFolder::RemoveLeftOver(tree.root(), "own").ok());
    EXPECT_EQ("a memory", tree.Read("/own/photo.jpg"));

    tree.MakeDirectory("/target");
    ASSERT_EQ(0, symlink(tree.PathOf("/target").c_str(), tree.PathOf("/link").c_str()));
    EXPECT_FALSE(OwnFolder::Acquire(tree.root(), "link").ok());
    EXPECT_FALSE(OwnFolder::Acquire(tree.PathOf("/nowhere"), "own").ok());
}

TEST(OwnFolderTest, RefusesWhatAnotherUserMade) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can make it somebody else's";
    Tree tree;
    tree.Write("/own/storekeeper_bench.marker", "");
    tree.Write("/own/storekeeper_bench.data", "not ours");
    ASSERT_EQ(0, chown(tree.PathOf("/own").c_str(), 12345, 12345));
    auto folder = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_FALSE(folder.ok());
    EXPECT_EQ(EEXIST, folder.error().code());
    EXPECT_THAT(folder.error().message(), HasSubstr("was made by user 12345"));
    EXPECT_FALSE(OwnFolder::RemoveLeftOver(tree.root(), "own").ok());
    EXPECT_EQ("not ours", tree.Read("/own/storekeeper_bench.data"));
    // The folder is refused as well if the one above belongs to that user, too.
    ASSERT_EQ(0, chown(tree.root().c_str(), 12345, 12345));
    EXPECT_FALSE(OwnFolder::Acquire(tree.root(), "own").ok());
}

// In /data/local/tmp, uid shell can do that to a folder of root.
TEST(OwnFolderTest, IsNotDivertedByWhoeverOwnsTheFolderAbove) {
    Tree tree;
    tree.Write("/precious/storekeeper_bench.data", "a memory");
    auto folder = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_TRUE(folder.ok()) << folder.error();
    ASSERT_EQ(0, rename(tree.PathOf("/own").c_str(), tree.PathOf("/away").c_str()));
    ASSERT_EQ(0, symlink(tree.PathOf("/precious").c_str(), tree.PathOf("/own").c_str()));
    ASSERT_TRUE(android::base::WriteStringToFile("ours", folder->PathOf("data")));
    EXPECT_EQ("a memory", tree.Read("/precious/storekeeper_bench.data"));
    EXPECT_EQ("ours", tree.Read("/away/storekeeper_bench.data"));
    auto answer = RunChild({"ls"}, folder->fd_path(), -1);
    ASSERT_TRUE(answer.ok()) << answer.error();
    EXPECT_THAT(answer->out, HasSubstr("storekeeper_bench.marker"));
    EXPECT_FALSE(folder->Remove().ok());
    EXPECT_EQ("a memory", tree.Read("/precious/storekeeper_bench.data"));
    EXPECT_FALSE(tree.files().Exists("/away/storekeeper_bench.data"));
}

TEST(OwnFolderTest, LeavesNothingWhenItCannotBeMarked) {
    Tree tree;
    rlimit before = {};
    ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &before));
    const auto handler = signal(SIGXFSZ, SIG_IGN);
    const rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &none));
    auto folder = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &before));
    signal(SIGXFSZ, handler);
    ASSERT_FALSE(folder.ok());
    EXPECT_EQ(EFBIG, folder.error().code());
    EXPECT_THAT(folder.error().message(), HasSubstr(tree.PathOf("/own")));
    EXPECT_FALSE(tree.files().Exists("/own"));
}

TEST(OwnFolderTest, OneAtATime) {
    Tree tree;
    auto first = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_TRUE(first.ok()) << first.error();
    auto second = OwnFolder::Acquire(tree.root(), "own");
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(EWOULDBLOCK, second.error().code());
    EXPECT_FALSE(OwnFolder::RemoveLeftOver(tree.root(), "own").ok());
    EXPECT_TRUE(tree.files().Exists("/own"));
}

TEST(OwnFolderTest, TheFolderOfAKilledRunIsRemovedUnlessMarkedAsKept) {
    Tree tree;
    EXPECT_TRUE(OwnFolder::RemoveLeftOver(tree.root(), "own").ok());
    for (const bool kept : {true, false}) {
        {
            auto folder = OwnFolder::Acquire(tree.root(), "own");
            ASSERT_TRUE(folder.ok()) << folder.error();
            tree.Write("/own/storekeeper_bench.fill-1", "1");
            ASSERT_TRUE(folder->SetKept(kept).ok());
            EXPECT_EQ(kept, folder->kept());
        }
        ASSERT_TRUE(OwnFolder::RemoveLeftOver(tree.root(), "own").ok());
        EXPECT_EQ(kept, tree.files().Exists("/own/storekeeper_bench.fill-1"));
    }
    // The run was killed between making the folder and marking it.
    tree.MakeDirectory("/own");
    ASSERT_TRUE(OwnFolder::RemoveLeftOver(tree.root(), "own").ok());
    EXPECT_FALSE(tree.files().Exists("/own"));
}

}  // namespace

}  // namespace storekeeper
