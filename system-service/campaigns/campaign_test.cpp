// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/campaign.h"

#include <android-base/file.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/atomic_file.h"
#include "base/try.h"
#include "campaigns/crash_states.h"

namespace storekeeper {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

// A few cases of each scenario; `lab soak crash` and `lab soak calls` try all.
constexpr uint64_t kStride = 80;

// The files of a state, as "name=content".
using State = std::set<std::string>;

State StateOf(const DiskImage& image) {
    State state;
    for (const auto& [name, file] : image.names) {
        state.insert(name + "=" + *image.contents.at(file));
    }
    return state;
}

std::set<State> StatesOf(const DiskImage& begin, const CrashDisk& disk) {
    std::set<State> states;
    ForEachCrashState(begin, disk.log(),
                      [&](const CrashPoint&, const CrashMarks&, const DiskImage& left) {
                          states.insert(StateOf(left));
                          return true;
                      });
    return states;
}

TEST(CrashStatesTest, ANewFileIsThereOrNotAndHasWhatWasSynced) {
    CrashDisk disk;
    const auto fd = disk.Open(CrashDisk::PathOf("a"), O_RDWR | O_CREAT);
    ASSERT_TRUE(fd.ok());
    ASSERT_TRUE(disk.Pwrite(*fd, "one", 3, 0).ok());
    EXPECT_THAT(StatesOf({}, disk), ElementsAre(State{}, State{"a="},
                                                State{std::string("a=\0\0\0", 5)}, State{"a=one"}));
    ASSERT_TRUE(disk.Fsync(*fd).ok());
    ASSERT_TRUE(SyncDirectoryOf(disk, CrashDisk::PathOf("a")).ok());
    CrashDisk later(disk.image());
    const auto again = later.Open(CrashDisk::PathOf("a"), O_RDWR);
    ASSERT_TRUE(later.Pwrite(*again, "two", 3, 0).ok());
    EXPECT_THAT(StatesOf(disk.image(), later), ElementsAre(State{"a=one"}, State{"a=two"}));
}

TEST(CrashStatesTest, ALongWriteIsTornAtSectors) {
    DiskImage begin;
    begin.Put("a", std::string(1024, 'o'));
    CrashDisk disk(begin);
    const auto fd = disk.Open(CrashDisk::PathOf("a"), O_RDWR);
    ASSERT_TRUE(disk.Pwrite(*fd, std::string(1024, 'n').data(), 1024, 0).ok());
    const std::string old(512, 'o');
    const std::string now(512, 'n');
    EXPECT_THAT(StatesOf(begin, disk),
                ElementsAre(State{"a=" + now + now}, State{"a=" + now + old},
                            State{"a=" + old + now}, State{"a=" + old + old}));
}

TEST(CrashStatesTest, WritesThatAreNotSyncedComeInAnyOrder) {
    DiskImage begin;
    begin.Put("a", "..");
    CrashDisk disk(begin);
    const auto fd = disk.Open(CrashDisk::PathOf("a"), O_RDWR);
    ASSERT_TRUE(disk.Pwrite(*fd, "1", 1, 0).ok());
    ASSERT_TRUE(disk.Pwrite(*fd, "2", 1, 1).ok());
    EXPECT_THAT(StatesOf(begin, disk),
                ElementsAre(State{"a=.."}, State{"a=.2"}, State{"a=1."}, State{"a=12"}));
}

TEST(CrashStatesTest, ARenameWithoutItsFoldersSyncMayBeLost) {
    DiskImage begin;
    begin.Put("a", "1");
    begin.Put("b", "2");
    CrashDisk disk(begin);
    ASSERT_TRUE(disk.Rename(CrashDisk::PathOf("a"), CrashDisk::PathOf("c")).ok());
    ASSERT_TRUE(disk.Remove(CrashDisk::PathOf("b")).ok());
    EXPECT_THAT(StatesOf(begin, disk),
                ElementsAre(State{"a=1"}, State{"a=1", "b=2"}, State{"b=2", "c=1"}, State{"c=1"}));
}

TEST(CampaignTest, NoPowerCutLosesWhatWasKeptOrBlocksTheStart) {
    const CampaignResult result = CrashCampaign({.stride = kStride});
    EXPECT_THAT(result.failures, IsEmpty());
    EXPECT_LE(150U, result.total());
    EXPECT_EQ(Scenarios().size(), result.tried.size());
}

TEST(CampaignTest, NoFailingCallLosesWhatWasKeptOrBlocksTheStart) {
    const CampaignResult result = CallCampaign({.stride = kStride});
    EXPECT_THAT(result.failures, IsEmpty());
    EXPECT_LE(100U, result.total());
}

// Tries all cases of the short scenarios. A sync that fails once can lose data that is acknowledged
// later, if the page cache makes it look synced.
TEST(CampaignTest, NoFailingCallBlocksAFirstStart) {
    for (const char* scenario : {"history-first", "records-first", "choice-first", "probe-first"}) {
        EXPECT_THAT(CallCampaign({.only = scenario}).failures, IsEmpty());
    }
}

TEST(CrashStatesTest, ALaterSyncDoesNotRestoreTheLossOfAFailedOne) {
    DiskImage begin;
    begin.Put("a", "..");
    CrashDisk disk(begin);
    const auto fd = disk.Open(CrashDisk::PathOf("a"), O_RDWR);
    ASSERT_TRUE(disk.Pwrite(*fd, "1", 1, 0).ok());
    std::vector<DiskOperation> log = disk.log();
    log.push_back({.kind = DiskOperation::Kind::kLostSync, .file = 1});
    log.push_back({.kind = DiskOperation::Kind::kSync, .file = 1});
    EXPECT_EQ(State{"a=.."}, StateOf(AfterPowerCut(begin, log, /*unsynced_kept=*/true)));
}

struct Broken {
    Flaw flaw;
    // Scenarios that find it, by the beginning of their failures' names.
    std::vector<std::string> found_by;
};

class BrokenProductTest : public testing::TestWithParam<Broken> {};

TEST_P(BrokenProductTest, IsFound) {
    for (const std::string& scenario : GetParam().found_by) {
        const CampaignResult result =
                CrashCampaign({.only = scenario, .max_failures = 1, .flaw = GetParam().flaw});
        EXPECT_THAT(result.failures, Contains(StartsWith(scenario + ":")));
    }
}

INSTANTIATE_TEST_SUITE_P(
        All, BrokenProductTest,
        testing::Values(Broken{Flaw::kNoFileSync, {"records-first", "choice-first", "probe-first"}},
                        Broken{Flaw::kNoFolderSync, {"records-first", "choice-first"}},
                        Broken{Flaw::kTrustedLog, {"history-migrate-2"}},
                        Broken{Flaw::kLateCount, {"choice-forgotten"}}));

// The name that a failure prints selects that case alone.
TEST(CampaignTest, AFailureIsRepeatedByItsName) {
    const CampaignOptions broken{.only = "choice-first", .flaw = Flaw::kNoFileSync};
    const CampaignResult all = CrashCampaign(broken);
    ASSERT_THAT(all.failures, Not(IsEmpty()));
    const std::string name = all.failures[0].substr(0, all.failures[0].find(' '));
    const CampaignResult one = CrashCampaign({.only = name, .flaw = Flaw::kNoFileSync});
    EXPECT_EQ(1U, one.total());
    EXPECT_THAT(one.failures, ElementsAre(all.failures[0]));
}

}  // namespace
}  // namespace storekeeper
