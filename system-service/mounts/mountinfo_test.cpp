// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/mountinfo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Mounts of a phone: root, data, read-only cache, a bind mount, a tmpfs, one mount over another.
constexpr char kPhone[] =
        "21 1 254:0 / / ro,seclabel shared:1 - ext4 /dev/block/dm-0 ro,seclabel\n"
        "35 21 0:17 / /dev rw,nosuid - tmpfs tmpfs rw,mode=755\n"
        "40 21 179:2 / /data rw,nosuid,nodev shared:5 master:2 - ext4 /dev/block/mmcblk0p2 rw\n"
        "41 21 179:1 / /cache ro,nosuid - ext4 /dev/block/mmcblk0p1 rw\n"
        "42 21 179:3 / /metadata rw - ext4 /dev/block/mmcblk0p3 ro,errors=continue\n"
        "43 40 179:2 /media /mnt/my\\040card rw - ext4 /dev/block/mmcblk0p2 rw\n"
        "44 21 179:4 / /mnt/over rw - ext4 /dev/block/mmcblk0p4 rw\n"
        "45 44 179:5 / /mnt/over rw - f2fs /dev/block/mmcblk0p5 rw\n";

TEST(MountinfoTest, ReadsFields) {
    MountTable table = ParseMountinfo(kPhone);
    EXPECT_THAT(table.problems, IsEmpty());
    ASSERT_THAT(table.mounts, SizeIs(8));
    const Mount* data = table.FindVisible("/data");
    ASSERT_NE(nullptr, data);
    EXPECT_EQ(40, data->id);
    EXPECT_EQ(21, data->parent_id);
    EXPECT_EQ(makedev(179, 2), data->device);
    EXPECT_EQ("/", data->root);
    EXPECT_EQ("ext4", data->type);
    EXPECT_EQ("/dev/block/mmcblk0p2", data->source);
    EXPECT_FALSE(data->read_only);
    EXPECT_TRUE(data->HasMountOption("nodev"));
    EXPECT_FALSE(data->HasOption("nodev"));
    EXPECT_EQ(nullptr, table.FindVisible("/dat"));
    EXPECT_EQ(nullptr, table.FindVisible("/data/"));
}

TEST(MountinfoTest, ReadOnlyByTheMountOrByItsFileSystem) {
    MountTable table = ParseMountinfo(kPhone);
    EXPECT_TRUE(table.FindVisible("/cache")->read_only);
    EXPECT_TRUE(table.FindVisible("/metadata")->read_only);
    // "errors=remount-ro" is not "ro".
    EXPECT_FALSE(ParseMountinfo("1 0 8:1 / /d rw - ext4 /dev/x rw,errors=remount-ro\n")
                         .FindVisible("/d")
                         ->read_only);
}

TEST(MountinfoTest, UndoesEscapes) {
    MountTable table = ParseMountinfo(kPhone);
    const Mount* bind = table.FindVisible("/mnt/my card");
    ASSERT_NE(nullptr, bind);
    EXPECT_EQ("/media", bind->root);
    struct Row {
        const char* escaped;
        const char* plain;
    };
    for (const Row& row :
         {Row{"/a\\011b", "/a\tb"}, Row{"/a\\012b", "/a\\012b"}, Row{"/a\\134b", "/a\\b"},
          Row{"/a\\043b", "/a#b"}, Row{"/a\\134040b", "/a\\040b"}, Row{"/a\\04", "/a\\04"},
          // A digit is not octal in the first, second or third place.
          Row{"/a\\n12", "/a\\n12"}, Row{"/a\\0!2", "/a\\0!2"}, Row{"/a\\018", "/a\\018"},
          Row{"/caf\xc3\xa9", "/caf\xc3\xa9"}}) {
        std::string line = std::string("1 0 8:1 / ") + row.escaped + " rw - ext4 /dev/x rw\n";
        EXPECT_NE(nullptr, ParseMountinfo(line).FindVisible(row.plain)) << row.escaped;
    }
}

TEST(MountinfoTest, TheMountOnTopIsTheOneSeen) {
    EXPECT_EQ("f2fs", ParseMountinfo(kPhone).FindVisible("/mnt/over")->type);
    // The kernel lists mounts by id, which may contradict the stacking order after a move.
    MountTable moved = ParseMountinfo(
            "45 50 179:5 / /mnt/over rw - f2fs /dev/b rw\n"
            "50 21 179:4 / /mnt/over rw - ext4 /dev/a rw\n");
    EXPECT_EQ("f2fs", moved.FindVisible("/mnt/over")->type);
}

TEST(MountinfoTest, AnyNumberOfOptionalFields) {
    for (const char* optional :
         {"", "shared:1 ", "shared:1 master:2 propagate_from:3 ", "unbindable "}) {
        std::string line = std::string("1 0 8:1 / /d rw ") + optional + "- ext4 /dev/x rw\n";
        EXPECT_NE(nullptr, ParseMountinfo(line).FindVisible("/d")) << optional;
    }
}

// A user with the right to mount chooses the name; /data must still be found.
TEST(MountinfoTest, AnyNameIsReadAndHidesNoOtherMount) {
    for (const std::string& name : {std::string("/run/d\x7f"), std::string("/run/\x1b[31m"),
                                    std::string("/run/\r"), std::string("/run/\xff\xc3"),
                                    std::string("/run/\\0401"), "/run/" + std::string(4000, 'x')}) {
        Tree tree;
        std::string escaped = name;
        if (const size_t at = name.find('\\'); at != std::string::npos) {
            escaped.replace(at, 1, "\\134");
        }
        tree.Write(kMountinfoPath, "60 21 0:50 / " + escaped + " rw - tmpfs x rw\n" + kPhone);
        const MountTable table = ParseMountinfo(*tree.files().ReadTable(kMountinfoPath));
        EXPECT_THAT(table.problems, IsEmpty()) << escaped;
        EXPECT_NE(nullptr, table.FindVisible(name)) << escaped;
        EXPECT_NE(nullptr, table.FindVisible("/data"));
    }
}

TEST(MountinfoTest, GarbageLinesAreReportedAndTheRestIsRead) {
    struct Row {
        std::string line;
        const char* problem;
    };
    const Row rows[] = {
            {"garbage", "fields are missing"},
            {"", "fields are missing"},
            {"1 0 8:1 / /d rw - ext4 /dev/x", "fields are missing"},
            {"1 0 8:1 / /d rw shared:1 ext4 /dev/x rw", "fields are missing"},
            {"x 0 8:1 / /d rw - ext4 /dev/x rw", "two mount ids"},
            {"1 y 8:1 / /d rw - ext4 /dev/x rw", "two mount ids"},
            {"1 0 8 / /d rw - ext4 /dev/x rw", "not major:minor"},
            {"1 0 8:-1 / /d rw - ext4 /dev/x rw", "not major:minor"},
            {"1 0 99999999999:1 / /d rw - ext4 /dev/x rw", "not major:minor"},
            {std::string(1 << 20, 'a'), "longer than"},
    };
    for (const Row& row : rows) {
        MountTable table = ParseMountinfo(row.line + "\n" + kPhone);
        ASSERT_THAT(table.problems, SizeIs(1)) << row.line.substr(0, 40);
        EXPECT_THAT(table.problems[0], HasSubstr("line 1: "));
        EXPECT_THAT(table.problems[0], HasSubstr(row.problem));
        EXPECT_NE(nullptr, table.FindVisible("/data"));
    }
}

TEST(MountinfoTest, LayersOfSharedStorage) {
    for (const char* type : {"fuse", "sdcardfs", "esdfs"}) {
        EXPECT_TRUE(Mount{.type = type}.IsPassthrough()) << type;
    }
    EXPECT_FALSE(Mount{.type = "fuseblk"}.IsPassthrough());
}

TEST(MountinfoTest, TheVolumeOfData) {
    Tree tree;
    EXPECT_FALSE(FindDataVolume(tree.files()).ok());
    tree.Write(kMountinfoPath, "1 0 8:1 / /cache rw - ext4 /dev/x rw\n");
    EXPECT_EQ("nothing is mounted on /data", FindDataVolume(tree.files()).error().message());
    tree.Write(kMountinfoPath, kPhone);
    const android::base::Result<DataVolume> volume = FindDataVolume(tree.files());
    ASSERT_TRUE(volume.ok()) << volume.error();
    EXPECT_EQ("/data", volume->mount.mount_point);
    EXPECT_EQ(makedev(179, 2), volume->disk);
    tree.Write("/sys/dev/block/179:2/partition", "2\n");
    tree.Write("/sys/dev/block/dev", "garbage\n");
    EXPECT_THAT(FindDataVolume(tree.files()).error().message(), HasSubstr("not major:minor"));
}

}  // namespace
}  // namespace storekeeper
