// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/block_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;

class BlockDeviceTest : public testing::Test {
  protected:
    static std::string Node(unsigned minor_number) {
        return "/sys/dev/block/254:" + std::to_string(minor_number);
    }

    // Creates a device that is stacked on others.
    void Stack(unsigned minor_number, const std::vector<std::string>& below) {
        tree_.MakeDirectory(Node(minor_number) + "/slaves");
        for (size_t i = 0; i < below.size(); ++i) {
            tree_.Write(Node(minor_number) + "/slaves/" + std::to_string(i) + "/dev",
                        below[i] + "\n");
        }
    }

    Result<dev_t> Disk(unsigned minor_number) {
        return DiskOf(tree_.files(), makedev(254, minor_number));
    }

    std::string Problem(unsigned minor_number) {
        const Result<dev_t> disk = Disk(minor_number);
        return disk.ok() ? "" : disk.error().message();
    }

    Tree tree_;
};

TEST_F(BlockDeviceTest, TheDiskBelow) {
    Stack(1, {});
    EXPECT_EQ(makedev(254, 1), *Disk(1));
    Stack(2, {"254:1"});
    EXPECT_EQ(makedev(254, 1), *Disk(2));
    Stack(3, {"254:1", "254:2"});
    EXPECT_EQ(makedev(254, 1), *Disk(3));
    // A partition's directory is inside its disk's.
    tree_.Write("/sys/devices/mmc/mmcblk0/dev", "179:0\n");
    tree_.Write("/sys/devices/mmc/mmcblk0/mmcblk0p2/partition", "2\n");
    tree_.Link("/sys/dev/block/179:2", "../../devices/mmc/mmcblk0/mmcblk0p2");
    Stack(4, {"179:2"});
    EXPECT_EQ(makedev(179, 0), *Disk(4));
}

TEST_F(BlockDeviceTest, StacksWithoutOneDisk) {
    Stack(1, {"8:0", "8:16"});
    EXPECT_THAT(Problem(1), HasSubstr("254:1 stands on several disks"));
    Stack(2, {"garbage"});
    EXPECT_THAT(Problem(2), HasSubstr("'garbage' is not major:minor"));
    Stack(3, {"254:2"});
    EXPECT_THAT(Problem(3), HasSubstr("'garbage' is not major:minor"));
    Stack(4, {"254:4"});
    EXPECT_THAT(Problem(4), HasSubstr("254:4: too many devices stacked"));
    tree_.MakeDirectory(Node(5) + "/slaves/empty");
    EXPECT_THAT(Problem(5), HasSubstr("slaves/empty/dev"));
    tree_.MakeDirectory(Node(6) + "/partition");
    EXPECT_THAT(Problem(6), HasSubstr("/../dev"));
}

TEST_F(BlockDeviceTest, ARemovedDeviceIsEnodev) {
    const dev_t device = makedev(254, 1);
    // Without /sys/dev/block nothing is known.
    EXPECT_TRUE(CheckDeviceExists(tree_.files(), device).ok());
    Stack(2, {});
    const Result<void> gone = CheckDeviceExists(tree_.files(), device);
    ASSERT_FALSE(gone.ok());
    EXPECT_EQ(ENODEV, gone.error().code());
    Stack(1, {});
    EXPECT_TRUE(CheckDeviceExists(tree_.files(), device).ok());
    EXPECT_TRUE(CheckDeviceExists(tree_.files(), makedev(0, 42)).ok());
}

TEST_F(BlockDeviceTest, WhetherDevicesTakeDiscards) {
    const FileReader files = tree_.files();
    const std::vector<dev_t> one = {makedev(254, 1)};
    const std::vector<dev_t> two = {makedev(254, 1), makedev(254, 2)};
    // Linux 3.1 to 5.8 shows granularity 0 for a card whose preferred erase size exceeds its
    // largest discard.
    tree_.Write(Node(1) + "/queue/discard_granularity", "0\n");
    EXPECT_EQ(std::nullopt, TakesDiscards(files, one));
    tree_.Write(Node(1) + "/queue/discard_max_bytes", "3670016\n");
    EXPECT_EQ(true, TakesDiscards(files, one));
    tree_.Write(Node(1) + "/queue/discard_granularity", "4096\n");
    tree_.Write(Node(1) + "/queue/discard_max_bytes", "0\n");
    EXPECT_EQ(false, TakesDiscards(files, one));
    // A device without the limit may accept discards; a single one that accepts them suffices.
    EXPECT_EQ(std::nullopt, TakesDiscards(files, two));
    tree_.Write(Node(2) + "/queue/discard_max_bytes", "0\n");
    EXPECT_EQ(false, TakesDiscards(files, two));
    tree_.Write(Node(2) + "/queue/discard_max_bytes", "4096\n");
    EXPECT_EQ(true, TakesDiscards(files, two));
}

TEST_F(BlockDeviceTest, IostatsOffIsTheReasonForMissingCounts) {
    constexpr KernelVersion kNew{6, 12};
    const FileReader files = tree_.files();
    tree_.Write("/sys/devices/mmcblk0/dev", "179:0\n");
    tree_.Write("/sys/devices/mmcblk0/uevent", "DEVNAME=mmcblk0\n");
    tree_.Write("/sys/devices/mmcblk0/mmcblk0p2/partition", "2\n");
    tree_.Link("/sys/dev/block/179:0", "../../devices/mmcblk0");
    tree_.Link("/sys/dev/block/179:2", "../../devices/mmcblk0/mmcblk0p2");
    Stack(1, {"179:2"});
    tree_.MakeDirectory(Node(1) + "/dm");
    const std::vector<dev_t> partition = {makedev(179, 2)};
    const std::vector<dev_t> mapped = {makedev(254, 1)};
    // A kernel without the attribute counts.
    EXPECT_EQ("", WhyNotCounted(files, {}));
    EXPECT_EQ("", WhyNotCounted(files, partition));
    for (const char* counts : {"1\n", "2\n"}) {
        tree_.Write("/sys/devices/mmcblk0/queue/iostats", counts);
        EXPECT_EQ("", WhyNotCounted(files, partition, kNew));
    }
    // The device mapper honours its own queue's flag from Linux 6.5 on.
    tree_.Write(Node(1) + "/queue/iostats", "0\n");
    constexpr char kMapped[] = "not counted: queue/iostats is 0 on 254:1";
    EXPECT_EQ(kMapped, WhyNotCounted(files, mapped, kNew));
    EXPECT_EQ(kMapped, WhyNotCounted(files, {makedev(179, 2), makedev(254, 1)}, std::nullopt));
    EXPECT_EQ("", WhyNotCounted(files, mapped, KernelVersion{6, 4}));
    // The disk counts nothing.
    tree_.Write("/sys/devices/mmcblk0/queue/iostats", "0\n");
    constexpr char kDisk[] = "not counted: queue/iostats is 0 on mmcblk0";
    EXPECT_EQ(kDisk, WhyNotCounted(files, partition, kNew));
    EXPECT_EQ(kDisk, WhyNotCounted(files, mapped, KernelVersion{6, 1}));
    // A stack on several disks is checked by its own flag.
    Stack(2, {"179:2", "254:7"});
    tree_.Write(Node(2) + "/queue/iostats", "0\n");
    EXPECT_EQ("not counted: queue/iostats is 0 on 254:2",
              WhyNotCounted(files, {makedev(254, 2)}, kNew));
}

TEST_F(BlockDeviceTest, DiscardsThatCountAsWritesAreAReasonForMissingWrites) {
    const FileReader files = tree_.files();
    const std::vector<dev_t> disk = {makedev(179, 0)};
    const auto why = [&](const std::string& diskstats) {
        tree_.Write("/proc/diskstats", diskstats);
        return WhyWritesNotCounted(files, disk);
    };
    EXPECT_EQ("", WhyWritesNotCounted(files, disk));
    EXPECT_EQ("", WhyWritesNotCounted(files, {}));
    // A Huawei phone's line: gsurrel.github.io/PortingAndroid, clone-storage.md.
    constexpr char kLine[] =
            " 179       0 mmcblk0 56051 10089900 13722294 410080 1177 1875 24721 23720 0 218660 "
            "433560";
    constexpr char kWhy[] = "not counted: the kernel counts discards as writes (before Linux 4.18)";
    EXPECT_EQ(kWhy, why(std::string(kLine) + "\n"));
    EXPECT_EQ("", why(std::string(kLine) + " 0 0 0 0\n"));
    EXPECT_EQ("", WhyWritesNotCounted(files, {}));
    // A disk that counts nothing at all.
    tree_.Write("/sys/dev/block/179:0/queue/iostats", "0\n");
    EXPECT_THAT(why(std::string(kLine) + "\n"), HasSubstr("queue/iostats is 0"));
}

TEST_F(BlockDeviceTest, Name) {
    const FileReader files = tree_.files();
    const dev_t device = makedev(254, 1);
    EXPECT_FALSE(NameOf(files, device).ok());
    struct Row {
        const char* uevent;
        const char* name;
    };
    for (const Row& row : {Row{"MAJOR=254\nDEVNAME=dm-1\n", "dm-1"}, Row{"DEVNAME=\n", ""},
                           Row{"DEVNAME=../sda\n", ""}, Row{"MAJOR=254\n", ""}}) {
        tree_.Write(Node(1) + "/uevent", row.uevent);
        EXPECT_EQ(row.name, NameOf(files, device).value_or("")) << row.uevent;
    }
}

TEST_F(BlockDeviceTest, VolatileCache) {
    const FileReader files = tree_.files();
    const dev_t device = makedev(254, 1);
    EXPECT_EQ(std::nullopt, VolatileCacheOf(files, device));
    tree_.Write(Node(1) + "/queue/write_cache", "write back\n");
    // Without a name the driver is unknown, and the driver of memory cards reports "write back" for
    // any chip.
    EXPECT_EQ(std::nullopt, VolatileCacheOf(files, device));
    tree_.Write(Node(1) + "/uevent", "DEVNAME=mmcblk0\n");
    EXPECT_EQ(std::nullopt, VolatileCacheOf(files, device));
    tree_.Write(Node(1) + "/uevent", "DEVNAME=sda\n");
    EXPECT_EQ(true, VolatileCacheOf(files, device));
    tree_.Write(Node(1) + "/queue/write_cache", "write through\n");
    EXPECT_EQ(false, VolatileCacheOf(files, device));
    tree_.Write(Node(1) + "/queue/write_cache", "perhaps\n");
    EXPECT_EQ(std::nullopt, VolatileCacheOf(files, device));
}

TEST_F(BlockDeviceTest, SizeInBytes) {
    const FileReader files = tree_.files();
    const dev_t device = makedev(254, 1);
    EXPECT_EQ(std::nullopt, BytesOf(files, device));
    tree_.Write(Node(1) + "/size", "8\n");
    EXPECT_EQ(4096U, BytesOf(files, device));
    tree_.Write(Node(1) + "/size", "36028797018963967\n");
    EXPECT_EQ(UINT64_MAX - 511, BytesOf(files, device));
    tree_.Write(Node(1) + "/size", "36028797018963968\n");
    EXPECT_EQ(std::nullopt, BytesOf(files, device));
}

TEST_F(BlockDeviceTest, ALimitOfTheQueueOrOfTheDiskAround) {
    const FileReader files = tree_.files();
    EXPECT_EQ(std::nullopt, QueueLimit(files, makedev(254, 1), "nr_requests"));
    tree_.Write("/sys/dev/block/queue/nr_requests", "64\n");
    tree_.MakeDirectory(Node(1));
    EXPECT_EQ(64U, QueueLimit(files, makedev(254, 1), "nr_requests"));
    tree_.Write(Node(1) + "/queue/nr_requests", "4\n");
    EXPECT_EQ(4U, QueueLimit(files, makedev(254, 1), "nr_requests"));
}

}  // namespace
}  // namespace storekeeper
