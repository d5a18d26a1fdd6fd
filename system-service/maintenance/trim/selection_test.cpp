// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SelectionTest : public testing::Test {
  protected:
    Selection Select(const std::string& path) {
        return SelectMounts({path}, rules_, ParseMountinfo(mountinfo_), tree_.files()).front();
    }
    void Expect(const std::string& path, TrimOutcome outcome, const std::string& reason) {
        Selection selection = Select(path);
        EXPECT_EQ(OutcomeFactsOf(outcome).name, OutcomeFactsOf(selection.outcome).name)
                << selection.reason;
        EXPECT_THAT(selection.reason, HasSubstr(reason));
        EXPECT_EQ(outcome == TrimOutcome::kTrimmed, selection.eligible());
    }

    Tree tree_;
    TrimRules rules_ = {.configured = {"/data", "/cache", "/metadata", "/tmp", "/mnt/expand/*"}};
    std::string mountinfo_ =
            "40 21 179:2 / /data rw - ext4 /dev/block/mmcblk0p2 rw\n"
            "41 21 179:1 / /cache ro - ext4 /dev/block/mmcblk0p1 rw\n"
            "43 21 0:25 / /tmp rw - tmpfs tmpfs rw\n";
};

TEST_F(SelectionTest, DistinguishesRefusals) {
    Expect("/data", TrimOutcome::kTrimmed, "");
    Expect("/system", TrimOutcome::kNotGiven,
           "/system: not listed in ro.storekeeper.trim.mounts: /data,/cache");
    Expect("/metadata", TrimOutcome::kNotMounted, "/metadata: not mounted");
    Expect("/cache", TrimOutcome::kReadOnly, "/cache: mounted read-only");
    Expect("/tmp", TrimOutcome::kNoDiscard, "/tmp: tmpfs has no block device");
}

TEST_F(SelectionTest, AReportOnlyProductMayTrimNothing) {
    rules_.report_only = true;
    for (const char* path : {"/data", "/cache", "/metadata", "/system"}) {
        Expect(path, TrimOutcome::kNotPermitted,
               std::string(path) + ": report only: ro.storekeeper.report_only is true");
    }
}

TEST_F(SelectionTest, AsksEachDeviceOfAFileSystem) {
    mountinfo_ = "40 21 179:0 / /data rw - f2fs /dev/block/mmcblk0 rw\n";
    tree_.Write("/sys/dev/block/179:0/uevent", "DEVNAME=mmcblk0\n");
    tree_.Write("/sys/dev/block/179:8/uevent", "DEVNAME=mmcblk1\n");
    tree_.Write("/proc/fs/f2fs/mmcblk0/disk_map",
                "Disk: 0 on /dev/block/mmcblk0\nDisk: 1 on /dev/block/mmcblk1\n");
    EXPECT_THAT(Select("/data").members.devices, ElementsAre(makedev(179, 0), makedev(179, 8)));
    // f2fs discards on the devices that support it.
    tree_.Write("/sys/dev/block/179:0/queue/discard_max_bytes", "0\n");
    Expect("/data", TrimOutcome::kTrimmed, "");
    tree_.Write("/sys/dev/block/179:8/queue/discard_max_bytes", "0\n");
    Expect("/data", TrimOutcome::kNoDiscard, "cannot discard");
    tree_.Write("/sys/dev/block/179:8/queue/discard_max_bytes", "4096\n");
    // One chip that a trim would harm is enough, on either disk.
    for (const char* disk : {"179:8", "179:0"}) {
        const std::string device = std::string("/sys/dev/block/") + disk + "/device/";
        tree_.Write(device + "type", "MMC\n");
        tree_.Write(device + "name", "MAG2GA\n");
        tree_.Write(device + "manfid", "0x000015\n");
        Expect("/data", TrimOutcome::kChipQuirk, "MMC chip MAG2GA");
    }
    tree_.Write("/sys/dev/block/179:8/loop/backing_file", "/data/image\n");
    Expect("/data", TrimOutcome::kNoDiscard, "backed by a file");
}

TEST_F(SelectionTest, AsksTheQueueOfThePartitionsDisk) {
    struct Row {
        const char* file;
        const char* content;
        TrimOutcome outcome;
    };
    // In sysfs, 179:2 is a link into the disk's directory, so ".." is the disk.
    tree_.MakeDirectory("/sys/dev/block/disk/mmcblk0p2");
    for (const Row& row : {Row{"discard_max_bytes", "0\n", TrimOutcome::kNoDiscard},
                           Row{"discard_granularity", "0\n", TrimOutcome::kTrimmed},
                           Row{"discard_max_bytes", "134217728\n", TrimOutcome::kTrimmed},
                           Row{"discard_max_bytes", "", TrimOutcome::kTrimmed},
                           Row{"discard_max_bytes", "garbage\n", TrimOutcome::kTrimmed}}) {
        for (const char* queue : {"/sys/dev/block/179:2/queue/", "/sys/dev/block/queue/"}) {
            tree_.MakeDirectory("/sys/dev/block/179:2");
            tree_.Write(queue + std::string(row.file), row.content);
            Expect("/data", row.outcome,
                   row.outcome == TrimOutcome::kTrimmed ? "" : "cannot discard");
            tree_.Remove(queue);
        }
    }
}

TEST_F(SelectionTest, OneFileSystemIsTrimmedOnce) {
    mountinfo_ += "44 21 179:2 /x /metadata rw - ext4 /dev/block/mmcblk0p2 rw\n";
    std::vector<Selection> selections =
            SelectMounts({"/data", "/metadata"}, rules_, ParseMountinfo(mountinfo_), tree_.files());
    EXPECT_TRUE(selections[0].eligible());
    EXPECT_EQ(TrimOutcome::kDuplicate, selections[1].outcome);
    EXPECT_THAT(selections[1].reason, HasSubstr("is trimmed at /data"));
}

TEST_F(SelectionTest, APartOfAFileSystemIsNotTheFileSystem) {
    mountinfo_ += "44 21 179:2 /x /metadata rw - ext4 /dev/block/mmcblk0p2 rw\n";
    Expect("/metadata", TrimOutcome::kNotGiven,
           "/metadata: mounts only the folder /x of the file system on /dev/block/mmcblk0p2, whose "
           "root is mounted on /data: name that instead");
    // On Android-x86, /data is a folder of a partition that is mounted nowhere else.
    mountinfo_ =
            "41 21 179:1 / /cache rw - ext4 /dev/block/mmcblk0p1 rw\n"
            "44 21 179:2 /data /data rw - ext4 /dev/block/mmcblk0p2 rw\n";
    Expect("/data", TrimOutcome::kNotGiven,
           "whose root is mounted nowhere: a trim acts on a whole file system, so nothing can trim "
           "it");
    mountinfo_ +=
            "45 21 179:2 / /mnt/disk rw - ext4 /dev/block/mmcblk0p2 rw\n"
            "46 45 0:40 / /mnt/disk rw - tmpfs tmpfs rw\n";
    Expect("/data", TrimOutcome::kNotGiven, "whose root is mounted nowhere");
}

TEST_F(SelectionTest, AdoptedStorageIsConfiguredByAPattern) {
    mountinfo_ +=
            "50 21 254:1 / /mnt/expand/5709 rw - ext4 /dev/block/dm-1 rw\n"
            "51 50 254:2 / /mnt/expand/5709/inside rw - ext4 /dev/block/dm-2 rw\n"
            "53 21 254:4 / /mnt/expand/ rw - ext4 /dev/block/dm-4 rw\n"
            "54 21 254:5 / /mnt/expand/gone rw - ext4 /dev/block/dm-5 rw\n"
            "55 54 254:6 / /mnt/expand/gone rw - ext4 /dev/block/dm-6 rw\n"
            "52 21 254:3 / /mnt/expander rw - ext4 /dev/block/dm-3 rw\n";
    EXPECT_THAT(ExpandConfigured(rules_.configured, ParseMountinfo(mountinfo_)),
                ElementsAre("/data", "/cache", "/metadata", "/tmp", "/mnt/expand/5709",
                            "/mnt/expand/gone"));
    Expect("/mnt/expand/5709", TrimOutcome::kTrimmed, "");
    Expect("/mnt/expand/5709/inside", TrimOutcome::kNotGiven, "");
    Expect("/mnt/expander", TrimOutcome::kNotGiven, "");
}

TEST_F(SelectionTest, TheFstabCanForbidIt) {
    rules_.no_trim = {"/data"};
    Expect("/data", TrimOutcome::kNoTrim, "/data: excluded by notrim in the fstab");
}

TEST_F(SelectionTest, ALoopDeviceOnAFileIsNotTrimmed) {
    mountinfo_ = "40 21 7:3 / /data rw - ext4 /dev/block/loop3 rw\n";
    tree_.Write("/sys/dev/block/7:3/loop/backing_file", "/data/image\n");
    Expect("/data", TrimOutcome::kNoDiscard, "/data: backed by a file");
}

TEST_F(SelectionTest, ADmDeviceThatLetsNoDiscardThroughIsDistinguishedFromADiskThatCannot) {
    mountinfo_ = "40 21 254:1 / /data rw - ext4 /dev/block/dm-1 rw\n";
    const std::string dm = "/sys/dev/block/254:1/";
    tree_.Write(dm + "dm/name", "userdata\n");
    tree_.Write(dm + "queue/discard_max_bytes", "0\n");
    tree_.Write(dm + "slaves/mmcblk0/dev", "179:0\n");
    tree_.Write("/sys/dev/block/179:0/queue/discard_max_bytes", "524288\n");
    Expect("/data", TrimOutcome::kNoDiscard, "'userdata' does not pass discards on");
    tree_.Write("/sys/dev/block/179:0/queue/discard_max_bytes", "0\n");
    Expect("/data", TrimOutcome::kNoDiscard, "the disk below it cannot either");
    // With two disks below the device, no disk counts as able to discard.
    tree_.Write("/sys/dev/block/179:0/queue/discard_max_bytes", "524288\n");
    tree_.Write(dm + "slaves/sda/dev", "8:0\n");
    Expect("/data", TrimOutcome::kNoDiscard, "the disk below it cannot either");
}

TEST_F(SelectionTest, AChipThatTrimsHarmIsRefusedBelowDmAndPartition) {
    mountinfo_ = "40 21 254:1 / /data rw - ext4 /dev/block/dm-1 rw\n";
    tree_.Write("/sys/dev/block/254:1/slaves/mmcblk0/dev", "179:0\n");
    const std::string chip = "/sys/dev/block/179:0/device/";
    tree_.Write(chip + "type", "MMC\n");
    tree_.Write(chip + "name", "MAG2GA\n");
    tree_.Write(chip + "manfid", "0x000015\n");
    Expect("/data", TrimOutcome::kChipQuirk, "/data: MMC chip MAG2GA, manfid 0x15, firmware not");
    Expect("/data", TrimOutcome::kChipQuirk, "ro.storekeeper.trim.force_quirk=true overrides this");
    // A SCSI disk with this name is no MMC card.
    tree_.Write(chip + "scsi_level", "7\n");
    Expect("/data", TrimOutcome::kTrimmed, "");
    tree_.Remove(chip + "scsi_level");
    rules_.force_quirk = true;
    Expect("/data", TrimOutcome::kTrimmed, "");
}

TEST_F(SelectionTest, JudgesTheMountOnTop) {
    mountinfo_ += "50 40 0:30 / /data rw - tmpfs tmpfs rw\n";
    Expect("/data", TrimOutcome::kNoDiscard, "tmpfs");
}

TEST(MountListTest, NormalMountPoints) {
    for (const char* path : {"/data", "//data", "/data/", "/data//"}) {
        EXPECT_EQ("/data", NormalMountPoint(path)) << path;
    }
    EXPECT_EQ("/", NormalMountPoint("//"));
    EXPECT_EQ("/a/b", NormalMountPoint("/a//b"));
}

TEST(MountListTest, Parses) {
    EXPECT_THAT(ParseMountList("/data,/cache"), ElementsAre("/data", "/cache"));
    EXPECT_THAT(ParseMountList(" /data , ,/cache,"), ElementsAre("/data", "/cache"));
    EXPECT_THAT(ParseMountList(""), IsEmpty());
}

}  // namespace
}  // namespace storekeeper
