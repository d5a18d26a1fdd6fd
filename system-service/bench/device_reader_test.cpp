// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/device_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr char kMounts[] =
        "1 0 0:1 / / rw - rootfs rootfs rw\n"
        "2 1 179:2 / /data rw - ext4 /dev/block/mmcblk0p2 rw,discard\n"
        "3 1 0:40 / /storage/emulated/0 rw - fuse /dev/fuse rw\n"
        "4 2 0:41 / /data/tmp rw - tmpfs tmpfs rw\n"
        "5 1 179:65 / /mnt/media_rw/1234-5678 rw - vfat /dev/block/vold/public:179,65 rw\n"
        "6 1 0:42 / /storage/1234-5678 rw - fuse /dev/fuse rw\n"
        "7 1 0:43 / /mnt/media_rw/STRANGE rw - tmpfs tmpfs rw\n"
        "9 1 0:45 / /mnt/media_rw/FUSED rw - fuse /dev/fuse rw\n"
        "8 1 0:44 / /storage/STRANGE rw - sdcardfs /mnt/media_rw/STRANGE rw\n";

class DeviceReaderTest : public testing::Test {
  protected:
    DeviceReaderTest() {
        tree_.Write("/proc/self/mountinfo", kMounts);
        tree_.Write("/proc/diskstats",
                    "179 0 mmcblk0 1 0 8 2 3 0 16 4 0 5 6 0 0 0 0 7 1\n"
                    "179 2 mmcblk0p2 1 0 8 2 3 0 16 4 0 5 6 0 0 0 0 0 0\n");
        tree_.Write("/proc/stat", "cpu  1 2 3 4 5 6 7 0 0 0\n");
        const std::string disk = "/sys/devices/mmc0/block/mmcblk0";
        tree_.Write(disk + "/uevent", "MAJOR=179\nMINOR=0\nDEVNAME=mmcblk0\nDEVTYPE=disk\n");
        tree_.Write(disk + "/dev", "179:0\n");
        tree_.Write(disk + "/queue/write_cache", "write back\n");
        tree_.Write(disk + "/mmcblk0p2/uevent", "MAJOR=179\nMINOR=2\nDEVNAME=mmcblk0p2\n");
        tree_.Write(disk + "/mmcblk0p2/partition", "2\n");
        tree_.Write(disk + "/mmcblk0p2/dev", "179:2\n");
        tree_.MakeDirectory("/sys/dev/block");
        Link("../../devices/mmc0/block/mmcblk0", "/sys/dev/block/179:0");
        Link("../../devices/mmc0/block/mmcblk0/mmcblk0p2", "/sys/dev/block/179:2");
        syscalls_.Add("/data/local", FakeSyscalls::Mount{.size_bytes = 1 << 30});
    }
    void Link(const std::string& to, const std::string& at) {
        ASSERT_EQ(0, symlink(to.c_str(), tree_.PathOf(at).c_str()));
    }
    DeviceReader Of(const std::string& folder) {
        auto reader = DeviceReader::ForFolder(files_, syscalls_, folder);
        EXPECT_TRUE(reader.ok()) << reader.error();
        return *reader;
    }

    Tree tree_;
    FileReader files_ = tree_.files();
    FakeSyscalls syscalls_;
};

TEST_F(DeviceReaderTest, FindsMountDiskAndCache) {
    const DeviceReader reader = Of("/data/local");
    EXPECT_EQ("/data", reader.place().mount.mount_point);
    EXPECT_EQ("mmcblk0", reader.place().disk);
    // An eMMC's "write back" proves nothing: its driver reports that without a cache, too.
    EXPECT_EQ(std::nullopt, reader.place().volatile_cache);
    tree_.Write("/sys/devices/mmc0/block/mmcblk0/queue/write_cache", "write through\n");
    EXPECT_EQ(false, Of("/data/local").place().volatile_cache);
    tree_.Remove("/sys/devices/mmc0/block/mmcblk0/queue/write_cache");
    EXPECT_EQ(std::nullopt, Of("/data/local").place().volatile_cache);
    tree_.Write("/sys/devices/mmc0/block/mmcblk0/queue/write_cache", "write back\n");
    tree_.Write("/sys/devices/mmc0/block/mmcblk0/uevent", "DEVNAME=sda\n");
    EXPECT_EQ(true, Of("/data/local").place().volatile_cache);
}

TEST_F(DeviceReaderTest, FuseOfACardStandsOnTheCard) {
    const std::string card = "/sys/devices/mmc1/block/mmcblk1";
    tree_.Write(card + "/uevent", "MAJOR=179\nMINOR=64\nDEVNAME=mmcblk1\nDEVTYPE=disk\n");
    tree_.Write(card + "/dev", "179:64\n");
    tree_.Write(card + "/mmcblk1p1/uevent", "MAJOR=179\nMINOR=65\nDEVNAME=mmcblk1p1\n");
    tree_.Write(card + "/mmcblk1p1/partition", "1\n");
    Link("../../devices/mmc1/block/mmcblk1", "/sys/dev/block/179:64");
    Link("../../devices/mmc1/block/mmcblk1/mmcblk1p1", "/sys/dev/block/179:65");
    const DeviceReader reader = Of("/storage/1234-5678/Download");
    EXPECT_EQ("/storage/1234-5678", reader.place().mount.mount_point);
    EXPECT_EQ("mmcblk1", reader.place().disk);
    // A card without a disk is not on the disk of /data either.
    EXPECT_EQ("", Of("/storage/STRANGE").place().disk);
    EXPECT_EQ("", Of("/mnt/media_rw/FUSED").place().disk);
}

TEST_F(DeviceReaderTest, ReadsTheWholeDisksState) {
    const DeviceState state = Of("/data/local").Read(true);
    ASSERT_TRUE(state.disk.has_value());
    EXPECT_EQ("mmcblk0", state.disk->name);
    EXPECT_EQ(7u, state.disk->flushes);
    EXPECT_EQ(3u, state.cpu->user);
    EXPECT_EQ(1u << 30, state.size_bytes);
    EXPECT_EQ(1u << 29, state.free_bytes);
    EXPECT_GT(state.clocks.raw.count(), 0);
    EXPECT_EQ(std::nullopt, state.zone_tenths);
}

TEST_F(DeviceReaderTest, FuseStandsOnDatasDiskAndOthersOnNone) {
    EXPECT_EQ("mmcblk0", Of("/storage/emulated/0/Download").place().disk);
    EXPECT_EQ("", Of("/data/tmp/x").place().disk);
    EXPECT_EQ("", Of("/database").place().disk);
    EXPECT_EQ("/", Of("/database").place().mount.mount_point);
    EXPECT_FALSE(Of("/data/tmp/x").Read(false).disk.has_value());
}

TEST_F(DeviceReaderTest, SaysWhyNoDiskIsWatched) {
    EXPECT_EQ("", Of("/data/local").place().no_disk);
    EXPECT_EQ("tmpfs on /data/tmp stands on no disk", Of("/data/tmp/x").place().no_disk);

    const std::string counts = "/sys/devices/mmc0/block/mmcblk0/queue/iostats";
    tree_.Write(counts, "1\n");
    EXPECT_TRUE(Of("/data/local").Read(true).disk.has_value());
    tree_.Write(counts, "0\n");
    EXPECT_THAT(Of("/data/local").place().no_disk, HasSubstr("/sys/block/mmcblk0/queue/iostats is "
                                                             "0"));
    EXPECT_FALSE(Of("/data/local").Read(true).disk.has_value());
    EXPECT_EQ("mmcblk0", Of("/data/local").place().disk);
    tree_.Remove(counts);

    tree_.Remove("/proc/diskstats");
    EXPECT_THAT(Of("/data/local").place().no_disk, HasSubstr("/proc/diskstats"));
}

// Zoned storage has two devices; mountinfo names the smaller one.
TEST_F(DeviceReaderTest, F2fsMayStandOnDisksThatNobodyTells) {
    tree_.Write("/sys/devices/mmc0/block/mmcblk0/mmcblk0p2/size", "1048576\n");
    EXPECT_EQ("", Of("/data/local").place().no_disk);
    std::string mounts = kMounts;
    mounts.replace(mounts.find("ext4"), 4, "f2fs");
    tree_.Write("/proc/self/mountinfo", mounts);
    EXPECT_EQ("/data stands on several disks", Of("/data/local").place().no_disk);
    EXPECT_FALSE(Of("/data/local").Read(true).disk.has_value());
    tree_.Write("/sys/devices/mmc0/block/mmcblk0/mmcblk0p2/size", "2097152\n");
    EXPECT_TRUE(Of("/data/local").Read(true).disk.has_value());
}

TEST_F(DeviceReaderTest, ReadsWhatF2fsMovesInTheBackground) {
    tree_.Write("/sys/fs/f2fs/mmcblk0p2/moved_blocks_background", "512\n");
    EXPECT_EQ(std::nullopt, Of("/data/local").Read(true).f2fs_moved_blocks);
    std::string mounts = kMounts;
    mounts.replace(mounts.find("ext4"), 4, "f2fs");
    tree_.Write("/proc/self/mountinfo", mounts);
    EXPECT_EQ(512u, Of("/data/local").Read(true).f2fs_moved_blocks);
    tree_.Write("/sys/fs/f2fs/mmcblk0p2/moved_blocks_background", "many\n");
    EXPECT_EQ(std::nullopt, Of("/data/local").Read(true).f2fs_moved_blocks);
}

TEST_F(DeviceReaderTest, SaysWhatIsNotThere) {
    tree_.Remove("/proc/self/mountinfo");
    EXPECT_FALSE(DeviceReader::ForFolder(files_, syscalls_, "/data").ok());
}

}  // namespace
}  // namespace storekeeper
