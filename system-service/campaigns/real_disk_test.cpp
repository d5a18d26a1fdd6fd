// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/real_disk.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/try.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using testing::ElementsAre;
using testing::HasSubstr;

// Each scenario succeeds and accepts its own disk if the power is never cut.
TEST(RealDiskTest, EachScenarioWorksInARealFolder) {
    for (const bool takes_sqlite : {true, false}) {
        for (const MakeScenario& make : Scenarios()) {
            const Tree tree;
            const std::unique_ptr<Scenario> scenario = make();
            CrashMarks last;
            RealDisk disk({.folder = tree.root(),
                           .mark = [&](const CrashMarks& marks) { last = marks; },
                           .takes_sqlite = takes_sqlite});
            ASSERT_TRUE(disk.Put(scenario->Begin()).ok());
            EXPECT_THAT(scenario->Work(&disk), ElementsAre()) << scenario->name();
            EXPECT_EQ("", scenario->Check(&disk, last)) << scenario->name();
            EXPECT_EQ("", scenario->GoOn(&disk, last)) << scenario->name();
        }
    }
}

TEST(RealDiskTest, SomethingHappensAfterEachChangeAndMark) {
    const Tree tree;
    int happened = 0;
    RealDisk disk({.folder = tree.root(), .meanwhile = [&](int) { ++happened; }});
    disk.Mark({});
    EXPECT_EQ(1, happened);
    const Result<unique_fd> fd = disk.Open(disk.Path("a"), O_RDWR | O_CREAT);
    ASSERT_TRUE(fd.ok());
    EXPECT_EQ(2, happened);
    EXPECT_TRUE(disk.Open(disk.Path("a"), O_RDONLY).ok());
    EXPECT_EQ(2, happened);
    EXPECT_TRUE(disk.Pwrite(*fd, "x", 1, 0).ok());
    EXPECT_TRUE(disk.Fdatasync(*fd).ok());
    EXPECT_TRUE(disk.Ftruncate(*fd, 2).ok());
    EXPECT_TRUE(disk.Rename(disk.Path("a"), disk.Path("b")).ok());
    EXPECT_TRUE(disk.Remove(disk.Path("b")).ok());
    EXPECT_EQ(7, happened);
}

// A skipped sync does not call `meanwhile`.
TEST(RealDiskTest, AFlawSkipsTheSyncsOfFilesOrOfFolders) {
    for (const Flaw flaw : {Flaw::kNone, Flaw::kNoFileSync, Flaw::kNoFolderSync}) {
        const Tree tree;
        int synced = 0;
        RealDisk disk({.folder = tree.root(), .meanwhile = [&](int) { ++synced; }, .flaw = flaw});
        const Result<unique_fd> file = disk.Open(disk.Path("a"), O_RDWR | O_CREAT);
        const Result<unique_fd> folder = disk.Open(tree.root(), O_RDONLY | O_DIRECTORY);
        synced = 0;
        EXPECT_TRUE(disk.Fsync(*file).ok());
        EXPECT_EQ(flaw == Flaw::kNoFileSync ? 0 : 1, synced);
        synced = 0;
        EXPECT_TRUE(disk.Fsync(*folder).ok());
        EXPECT_EQ(flaw == Flaw::kNoFolderSync ? 0 : 1, synced);
    }
}

std::map<std::string, std::string> FilesOf(const Tree& tree) {
    std::map<std::string, std::string> files;
    const Result<std::vector<std::string>> names = tree.files().List("/");
    EXPECT_TRUE(names.ok());
    for (const std::string& name : names.value_or(std::vector<std::string>())) {
        files[name] = tree.Read("/" + name);
    }
    return files;
}

TEST(NeighbourTest, EqualSeedsDoTheSameAndZeroDoesNothing) {
    const auto files_of = [](uint32_t seed) {
        const Tree tree;
        Neighbour neighbour(tree.root(), seed);
        for (int i = 0; i < 100; ++i) neighbour.Act(-1);
        return FilesOf(tree);
    };
    EXPECT_EQ(files_of(1), files_of(1));
    EXPECT_NE(files_of(1), files_of(2));
    EXPECT_FALSE(files_of(1).empty());
    EXPECT_TRUE(files_of(0).empty());
}

}  // namespace
}  // namespace storekeeper
