// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kMapPath[] = "/proc/fs/f2fs/dm-0/disk_map";
// The text of Linux 6.12 for an f2fs on two dm devices.
constexpr char kMap[] =
        "Address Layout   :  4096B Block address (# of Segments)\n"
        " SB            :      0/1024B\n"
        " Main          : 0x0000001400 (       502)\n"
        "\n"
        "Disk Map for multi devices:\n"
        "Disk: 0 (zoned=0): 0x0000000000 - 0x000000ffff on /dev/block/dm-7\n"
        "Disk: 1 (zoned=0): 0x0000010000 - 0x000002ffff on /dev/block/by-name/lent\n";

class MembersTest : public testing::Test {
  protected:
    MembersTest() {
        tree_.Write("/sys/dev/block/253:0/uevent", "MAJOR=253\nMINOR=0\nDEVNAME=dm-0\n");
        tree_.Write("/sys/dev/block/253:0/slaves/sda2/dev", "8:2\n");
        tree_.Write("/sys/dev/block/8:2/partition", "2\n");
        // On a device "8:2" links into sda, so that "8:2/.." is sda's directory.
        tree_.Write("/sys/dev/block/dev", "8:0\n");
        tree_.Write("/sys/dev/block/8:0/uevent", "DEVNAME=sda\n");
        tree_.Write("/sys/dev/block/8:16/uevent", "DEVNAME=sdb\nPARTNAME=lent\n");
        tree_.Write(kMapPath, kMap);
    }

    Members Read() { return MembersOf(tree_.files(), mount_); }

    Tree tree_;
    Mount mount_{.device = makedev(253, 0), .type = "f2fs"};
};

TEST(DiskMapTest, NamesTheDevicesInTheirOrder) {
    EXPECT_THAT(*ParseDiskMap(kMap), ElementsAre("/dev/block/dm-7", "/dev/block/by-name/lent"));
    EXPECT_THAT(*ParseDiskMap("Address Layout   :  4096B\n"), IsEmpty());
    EXPECT_THAT(*ParseDiskMap(""), IsEmpty());
    EXPECT_THAT(*ParseDiskMap("Disk: 0 (zoned=1): 0x0 - 0x1 on /dev/a on b"),
                ElementsAre("/dev/a on b"));
}

TEST(DiskMapTest, GarbageIsAnError) {
    for (const char* line :
         {"Disk: 0 (zoned=0): 0x0 - 0x1", "Disk: 0 on sda", "Disk: 0 on /dev/"}) {
        EXPECT_THAT(ParseDiskMap(line).error().message(), HasSubstr("names no device")) << line;
    }
    std::string many;
    for (int i = 0; i < 9; ++i) many += "Disk: 0 on /dev/x\n";
    EXPECT_EQ("more than 8 devices", ParseDiskMap(many).error().message());
}

TEST_F(MembersTest, AreOnlyOneOfOtherFileSystemsAndOfOlderKernels) {
    mount_.type = "ext4";
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device));
    mount_.type = "f2fs";
    tree_.Remove(kMapPath);
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device));
    EXPECT_EQ("", Read().problem);
    tree_.Remove("/sys/dev/block/253:0/uevent");
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device));
    EXPECT_THAT(Read().problem, HasSubstr("253:0/uevent"));
}

TEST_F(MembersTest, AreFoundByPartitionKernelAndMapperNames) {
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device, makedev(8, 16)));
    EXPECT_EQ("", Read().problem);
    tree_.Write(kMapPath, "Disk: 0 on /dev/dm-0\nDisk: 1 on /dev/block/sdb\n");
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device, makedev(8, 16)));
    tree_.Write(kMapPath, "Disk: 0 on /dev/dm-0\nDisk: 1 on /dev/mapper/zoned\n");
    tree_.Write("/sys/dev/block/253:4/dm/name", "zoned\n");
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device, makedev(253, 4)));
    tree_.Write(kMapPath, "Address Layout   :  4096B\n");
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device));
}

// A Pixel's fstab lends the partition of `device=exp_alias:/dev/block/by-name/userdata_exp.assets`
// to /data, and vold encrypts it below a mapping of the same name.
TEST_F(MembersTest, AMappingIsNotThePartitionBelowItOfTheSameName) {
    tree_.Write(kMapPath,
                "Disk: 0 (zoned=0): 0x0000000000 - 0x000000ffff on /dev/block/mapper/userdata\n"
                "Disk: 1 (zoned=0): 0x0000010000 - 0x000002ffff on "
                "/dev/block/mapper/userdata_exp.assets\n");
    tree_.Write("/sys/dev/block/8:40/uevent", "DEVNAME=sdc8\nPARTNAME=userdata_exp.assets\n");
    tree_.Write("/sys/dev/block/253:61/uevent", "DEVNAME=dm-61\n");
    tree_.Write("/sys/dev/block/253:61/dm/name", "userdata_exp.assets\n");
    EXPECT_EQ("", Read().problem);
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device, makedev(253, 61)));
}

TEST_F(MembersTest, OnesThatAreNotFoundAreSaidSo) {
    tree_.Write(kMapPath, "Disk: 0 on /dev/dm-0\nDisk: 1 on /dev/block/sdq\n");
    EXPECT_THAT(Read().devices, ElementsAre(mount_.device));
    EXPECT_EQ("/dev/block/sdq is not among the block devices of sysfs", Read().problem);
    tree_.Write(kMapPath, "Disk: 0 on /dev/dm-0\nDisk: 1 on /dev/block/by-name/lent\n");
    tree_.Write("/sys/dev/block/8:32/uevent", "DEVNAME=sdc\nPARTNAME=lent\n");
    EXPECT_EQ("/dev/block/by-name/lent may be 8:16 or 8:32: both are 'lent'", Read().problem);
    tree_.Write(kMapPath, "Disk: 0\n");
    EXPECT_THAT(Read().problem, HasSubstr("disk_map: 'Disk: 0' names no device"));
    tree_.Write(kMapPath, "no line's end");
    EXPECT_THAT(Read().problem, HasSubstr("disk_map"));
}

TEST_F(MembersTest, EachOfSeveralDisksIsListedOnce) {
    const dev_t first = makedev(253, 0);
    EXPECT_THAT(*DisksOf(tree_.files(), {first, makedev(8, 16), makedev(8, 0)}),
                ElementsAre(makedev(8, 0), makedev(8, 16)));
    tree_.Write("/sys/dev/block/dev", "garbage\n");
    EXPECT_FALSE(DisksOf(tree_.files(), {first}).ok());
}

}  // namespace
}  // namespace storekeeper
