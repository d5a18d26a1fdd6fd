// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/real_disk.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/dm-ioctl.h>

#include <filesystem>
#include <map>

#include "base/try.h"
#include "campaigns/device_mapper.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using testing::ElementsAre;
using testing::HasSubstr;

// Every scenario runs, and is content with what it has left, where no power is cut.
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

// A sync that is skipped is not followed by anything.
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
    for (const auto& entry : std::filesystem::directory_iterator(tree.root())) {
        const std::string name = "/" + entry.path().filename().string();
        files[name] = tree.Read(name);
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

// /dev/mapper/control.
class FakeMapper : public LinuxSyscalls {
  public:
    Result<unique_fd> Open(const std::string& path, int flags) override {
        return LinuxSyscalls::Open(path == "/dev/mapper/control" ? "/dev/null" : path, flags);
    }
    Result<int> Ioctl(borrowed_fd, unsigned long request, void* argument,
                      const std::string& what) override {
        const auto header = static_cast<dm_ioctl*>(argument);
        const std::string name = header->name;
        const char* extra = static_cast<const char*>(argument) + header->data_start;
        if (request == fails) return Error(EBUSY) << what;
        if (request == DM_DEV_CREATE) header->dev = 254ULL << 8 | 0x11 | 1ULL << 20;
        if (request == DM_DEV_CREATE) said.push_back("create " + name);
        if (request == DM_DEV_REMOVE) said.push_back("remove " + name);
        if (request == DM_DEV_SUSPEND) said.push_back("resume " + name);
        if (request == DM_TABLE_LOAD) {
            const auto target = reinterpret_cast<const dm_target_spec*>(extra);
            EXPECT_EQ(0U, target->next % 8);
            EXPECT_EQ(header->data_size, header->data_start + target->next);
            said.push_back(std::to_string(target->length) + " " + target->target_type + " " +
                           (extra + sizeof(*target)));
        }
        if (request == DM_TARGET_MSG) {
            said.emplace_back(reinterpret_cast<const dm_target_msg*>(extra)->message);
        }
        return 0;
    }

    std::vector<std::string> said;
    unsigned long fails = 0;
};

TEST(MappedDeviceTest, IsThereAsLongAsTheObject) {
    FakeMapper mapper;
    {
        Result<MappedDevice> device = MappedDevice::Create(mapper, {.name = "a",
                                                                    .bytes = 4096,
                                                                    .target = "log-writes",
                                                                    .parameters = "b c"});
        ASSERT_TRUE(device.ok()) << device.error().message();
        EXPECT_EQ("/dev/dm-273", device->node());
        EXPECT_TRUE(device->Send("mark 1,2,3").ok());
    }
    EXPECT_THAT(mapper.said,
                ElementsAre("create a", "8 log-writes b c", "resume a", "mark 1,2,3", "remove a"));
}

TEST(MappedDeviceTest, LeavesNothingWhenItFails) {
    FakeMapper mapper;
    mapper.fails = DM_TABLE_LOAD;
    const Result<MappedDevice> device = MappedDevice::Create(mapper, {.name = "a"});
    ASSERT_FALSE(device.ok());
    EXPECT_THAT(device.error().message(), HasSubstr("for a"));
    EXPECT_THAT(mapper.said, ElementsAre("create a", "remove a"));
}

}  // namespace
}  // namespace storekeeper
