// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/mount_audit.h"

#include <android-base/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "testing/fake_syscalls.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr uint64_t kGib = 1 << 30;

// A mount of this line whose other facts cause no finding.
AuditedMount Good(const std::string& line) {
    MountTable table = ParseMountinfo(line + "\n");
    EXPECT_THAT(table.problems, IsEmpty());
    return {.mount = table.mounts.at(0),
            .size_bytes = 32 * kGib,
            .free_bytes = 16 * kGib,
            .layer = "",
            .discards = true,
            .root_at = table.mounts.at(0).mount_point,
            .maintained = true};
}

std::vector<std::string> Codes(const std::vector<MountFinding>& findings) {
    std::vector<std::string> codes;
    for (const MountFinding& finding : findings) {
        codes.push_back(finding.code + " " + MountFindingLevelName(finding.level));
        EXPECT_NE("", finding.mount);
        EXPECT_NE("", finding.text);
        EXPECT_NE("", finding.cost);
        EXPECT_NE("", finding.change);
    }
    return codes;
}

std::vector<std::string> Audit(std::vector<AuditedMount> mounts, std::optional<bool> cache = {}) {
    return Codes(AuditMounts({.mounts = std::move(mounts), .volatile_cache = cache}));
}

constexpr char kGoodF2fs[] =
        "40 21 254:3 / /data rw,nosuid,nodev,noatime - f2fs /dev/block/dm-3 rw,discard";

TEST(MountAuditTest, NothingToSay) {
    EXPECT_THAT(Audit({}), IsEmpty());
    EXPECT_THAT(Audit({Good(kGoodF2fs)}, true), IsEmpty());
}

// Options as in documents of 2016: f2fs with nobarrier, and esdfs.
TEST(MountAuditTest, MotoZ) {
    AuditedMount data =
            Good("40 21 259:7 / /data rw,nosuid,nodev,noatime,nodiratime - f2fs "
                 "/dev/block/dm-2 rw,seclabel,background_gc=on,discard,user_xattr,inline_xattr,acl,"
                 "inline_data,nobarrier,extent_cache,active_logs=6");
    data.layer = "fscrypt";
    AuditedMount shared =
            Good("50 21 0:30 / /storage/emulated rw,nosuid,nodev,noexec,noatime - esdfs "
                 "/data/media rw,lower=1023:1023");
    EXPECT_THAT(Audit({data, shared}, true),
                ElementsAre("nobarrier urgent", "encryption info", "esdfs info"));
    EXPECT_THAT(Audit({data, shared}),
                ElementsAre("nobarrier warning", "encryption info", "esdfs info"));
    EXPECT_THAT(Audit({data, shared}, false),
                ElementsAre("nobarrier info", "encryption info", "esdfs info"));
    MountFinding finding = AuditMounts({.mounts = {data}, .volatile_cache = true}).at(0);
    EXPECT_EQ("/data", finding.mount);
    EXPECT_THAT(finding.text, HasSubstr("volatile cache is on"));
}

TEST(MountAuditTest, Pixel) {
    AuditedMount data =
            Good("40 21 252:0 / /data rw,nosuid,nodev,noatime - ext4 /dev/block/dm-0 "
                 "rw,seclabel,noauto_da_alloc,data=ordered");
    data.layer = "fscrypt";
    AuditedMount shared =
            Good("50 21 0:30 / /storage/emulated rw,nosuid,nodev,noexec,noatime - fuse /dev/fuse "
                 "rw,user_id=1023,group_id=1023,default_permissions,allow_other");
    EXPECT_THAT(Audit({data, shared}, true),
                ElementsAre("fuse warning", "encryption info", "ext4_fsync info"));
}

// An Android 10 phone: file-based encryption inside the storage host controller, sdcardfs.
TEST(MountAuditTest, InlineEncryptionAndSdcardfs) {
    AuditedMount data =
            Good("40 21 259:7 / /data rw,nosuid,nodev,noatime - f2fs /dev/block/dm-2 "
                 "rw,discard,inlinecrypt,fsync_mode=nobarrier");
    data.layer = "fscrypt";
    data.inline_crypt = "inlinecrypt";
    AuditedMount shared =
            Good("50 21 0:30 / /storage/emulated rw,nosuid,noexec,noatime - sdcardfs /data/media "
                 "rw,fsuid=1023");
    const std::vector<MountFinding> findings = AuditMounts({.mounts = {data, shared}});
    EXPECT_THAT(Codes(findings),
                ElementsAre("fsync_nobarrier info", "encryption info", "sdcardfs info"));
    EXPECT_THAT(findings[1].text, HasSubstr("by the storage host"));
    EXPECT_EQ("nothing", findings[1].change);
    EXPECT_THAT(findings[2].cost, HasSubstr("kernels after 5.4"));
}

// The virtual phone of lab/guest: ext4 on a vemmc card.
TEST(MountAuditTest, Lab) {
    AuditedMount data =
            Good("25 1 179:2 / /data rw,nosuid,nodev,noatime - ext4 /dev/block/mmcblk0p2 rw");
    data.layer = "none";
    EXPECT_THAT(Audit({data}, true), ElementsAre("encryption info", "ext4_fsync info"));
}

// Keys and checkpoint state, mounted so on purpose: `mount` of a OnePlus 8 Pro with Android 11 (a
// note of 2020-11-23, "Android Flashing Device"), the fstabs of the Pixel 8 (device/google/zuma,
// conf/fstab.zuma.in of Android 14) and of the Pixel 3 (device/google/crosshatch, Android 11).
TEST(MountAuditTest, SmallPartitionsOfAndroidAndTheVendorStayAsTheyAre) {
    for (const char* line :
         {"60 21 259:3 / /metadata rw,nosuid,nodev,noatime - ext4 /dev/block/sda19 "
          "rw,sync,seclabel,discard",
          "61 21 8:2 / /mnt/vendor/persist rw,nosuid,nodev,noatime - ext4 /dev/block/sda2 "
          "rw,seclabel",
          "62 21 8:5 / /mnt/vendor/efs rw,noatime - f2fs /dev/block/sda5 rw,sync",
          "63 21 8:6 / /metadata rw,nosuid,nodev,noatime - f2fs /dev/block/sda6 rw,sync",
          "64 21 8:7 / /metadata rw,nosuid,nodev,noatime - ext4 /dev/block/sda7 "
          "rw,discard,commit=1,data=journal"}) {
        AuditedMount mount = Good(line);
        mount.maintained = false;
        EXPECT_THAT(Audit({mount}), IsEmpty()) << line;
    }
}

// fstab.qcom of LineageOS's samsung_sm8250-common, idd.fstab of its Xperia XZ2 (sony_tama-common,
// with the flag notrim) and fstab.qcom of motorola_sm8250-common.
TEST(MountAuditTest, SmallPartitionsOfTheVendorHaveNamesOfTheirOwn) {
    for (const char* line :
         {"60 21 8:4 / /efs rw,nosuid,nodev,noatime - ext4 /dev/block/sda4 "
          "rw,seclabel,discard,journal_checksum,errors=panic",
          "61 21 8:70 / /mnt/rca rw,nosuid,nodev,noatime - ext4 /dev/block/sde6 rw,discard",
          "62 21 8:5 / /mnt/product/persist rw,nosuid,nodev,noatime - ext4 /dev/block/sda5 rw"}) {
        AuditedMount mount = Good(line);
        mount.maintained = false;
        mount.size_bytes = 16 << 20;
        EXPECT_THAT(Audit({mount}), IsEmpty()) << line;
        if (mount.mount.mount_point != "/mnt/product/persist") continue;
        // The policy keeps storekeeperd out.
        mount.size_bytes.reset();
        mount.free_bytes.reset();
        EXPECT_THAT(Audit({mount}), IsEmpty()) << line;
    }
}

TEST(MountAuditTest, AnotherLargePartitionWithDiscardIsNotSaidToBeTrimmed) {
    AuditedMount mount =
            Good("60 21 8:9 / /mnt/media rw,noatime - ext4 /dev/block/sda9 rw,discard");
    mount.maintained = false;
    const std::vector<MountFinding> findings = AuditMounts({.mounts = {mount}});
    EXPECT_THAT(Codes(findings), ElementsAre("discard_mount warning"));
    EXPECT_THAT(findings[0].change, HasSubstr("if something trims it instead"));
}

struct OptionCase {
    const char* name;
    const char* type;
    const char* mount_options;
    const char* options;
    std::vector<std::string> codes;
};

class MountAuditOptionTest : public testing::TestWithParam<OptionCase> {};

TEST_P(MountAuditOptionTest, Finds) {
    const OptionCase& row = GetParam();
    std::string line = "40 21 8:1 / /mnt/expand/x " + std::string(row.mount_options) + " - " +
                       row.type + " /dev/block/sda1 " + row.options;
    EXPECT_EQ(row.codes, Audit({Good(line)}, true));
}

INSTANTIATE_TEST_SUITE_P(
        All, MountAuditOptionTest,
        testing::Values(
                OptionCase{"Good", "ext4", "rw,noatime", "rw", {}},
                OptionCase{"Nobarrier", "ext4", "rw,noatime", "rw,nobarrier", {"nobarrier urgent"}},
                OptionCase{"Barrier0", "ext4", "rw,noatime", "rw,barrier=0", {"nobarrier urgent"}},
                OptionCase{"Barrier1", "ext4", "rw,noatime", "rw,barrier=1", {}},
                OptionCase{"FsyncMode",
                           "f2fs",
                           "rw,noatime",
                           "rw,discard,fsync_mode=nobarrier",
                           {"fsync_nobarrier warning"}},
                OptionCase{"Ext4Discard",
                           "ext4",
                           "rw,noatime",
                           "rw,discard",
                           {"discard_mount warning"}},
                OptionCase{"F2fsNoDiscardButTrimmed", "f2fs", "rw,noatime", "rw,nodiscard", {}},
                OptionCase{"DataJournal",
                           "ext4",
                           "rw,noatime",
                           "rw,data=journal",
                           {"data_journal warning"}},
                OptionCase{"Sync", "ext4", "rw,noatime", "rw,sync", {"sync_mount warning"}},
                OptionCase{"Dirsync", "ext4", "rw,noatime", "rw,dirsync", {"sync_mount warning"}},
                OptionCase{"NotSync", "ext4", "rw,noatime", "rw,async,fsync_mode=posix", {}},
                OptionCase{"StrictAtime", "ext4", "rw,nosuid", "rw", {"atime warning"}},
                OptionCase{"Relatime", "f2fs", "rw,relatime", "rw,discard", {"atime info"}},
                OptionCase{"GcOff",
                           "f2fs",
                           "rw,noatime",
                           "rw,discard,background_gc=off",
                           {"gc_off warning"}},
                OptionCase{"NotAFileSystemOfOurs", "vfat", "rw", "rw,sync,nobarrier,discard", {}}),
        [](const auto& row) { return row.param.name; });

TEST(MountAuditTest, NobodyDiscards) {
    AuditedMount mount = Good("40 21 8:1 / /data2 rw,noatime - ext4 /dev/block/sda1 rw");
    mount.maintained = false;
    EXPECT_THAT(Audit({mount}), ElementsAre("no_discard warning"));
    EXPECT_EQ("add /data2 to ro.storekeeper.trim.mounts",
              AuditMounts({.mounts = {mount}}).at(0).change);
    mount.mount.options = "rw,discard";
    EXPECT_THAT(Audit({mount}), ElementsAre("discard_mount warning"));
    mount.mount.type = "f2fs";
    EXPECT_THAT(Audit({mount}), IsEmpty());
    // A layer without discards blocks them, regardless of options.
    mount.discards = false;
    mount.maintained = true;
    mount.layer = "dm-crypt";
    std::vector<MountFinding> findings = AuditMounts({.mounts = {mount}});
    EXPECT_THAT(Codes(findings), ElementsAre("no_discard warning", "encryption warning"));
    EXPECT_THAT(findings[0].change, HasSubstr("allow_discards"));
    mount.layer = "dm-default-key";
    EXPECT_THAT(AuditMounts({.mounts = {mount}}).at(0).change, HasSubstr("device mapper table"));
    mount.layer = "dm-crypt";
    mount.discards.reset();
    EXPECT_THAT(Audit({mount}), ElementsAre("encryption warning"));
}

TEST(MountAuditTest, FreeSpace) {
    struct Row {
        std::optional<uint64_t> size;
        std::optional<uint64_t> free;
        std::vector<std::string> codes;
    };
    constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    const Row rows[] = {{100 * kGib, 20 * kGib, {}},
                        {100 * kGib, 20 * kGib - 1, {"free_space warning"}},
                        {100 * kGib, 5 * kGib, {"free_space warning"}},
                        {100 * kGib, 5 * kGib - 1, {"free_space urgent"}},
                        {100 * kGib, 0, {"free_space urgent"}},
                        {kMost, kMost, {}},
                        {kMost, 0, {"free_space urgent"}},
                        {kGib - 1, 0, {}},
                        {std::nullopt, 0, {}},
                        {100 * kGib, std::nullopt, {}}};
    for (const Row& row : rows) {
        AuditedMount mount = Good(kGoodF2fs);
        mount.size_bytes = row.size;
        mount.free_bytes = row.free;
        EXPECT_EQ(row.codes, Audit({mount})) << row.free.value_or(1);
    }
}

TEST(MountAuditTest, TheWorstFirst) {
    AuditedMount mount =
            Good("40 21 8:1 / /data rw,relatime - ext4 /dev/block/sda1 rw,discard,nobarrier");
    mount.free_bytes = 0;
    mount.layer = "none";
    EXPECT_THAT(Audit({mount}, true),
                ElementsAre("nobarrier urgent", "free_space urgent", "discard_mount warning",
                            "encryption info", "ext4_fsync info", "atime info"));
}

constexpr char kMountinfo[] =
        "21 1 254:0 / / ro - ext4 /dev/block/dm-0 ro\n"
        "40 21 254:5 / /data rw,noatime - f2fs /dev/block/dm-5 rw,discard\n"
        "41 40 254:5 / /data/user/0 rw,noatime - f2fs /dev/block/dm-5 rw,discard\n"
        "42 21 179:3 / /metadata rw,noatime - ext4 /dev/block/mmcblk0p3 rw\n"
        "43 21 0:17 / /dev rw - tmpfs tmpfs rw\n"
        "44 21 0:40 / /mnt/user/0/emulated rw - fuse /dev/fuse rw\n"
        "45 21 0:40 / /storage/emulated rw - fuse /dev/fuse rw\n"
        "46 21 0:41 / /sys/fs/fuse/connections rw - fusectl none rw\n"
        // Mounts to ignore: a folder of a file system, FUSE outside of shared storage, and a
        // covered one.
        "47 21 179:4 /folder /mnt/folder rw - ext4 /dev/block/mmcblk0p4 rw\n"
        "48 21 0:42 / /mnt/phone rw - fuse /dev/fuse rw\n"
        "49 21 179:5 / /mnt/card rw - ext4 /dev/block/mmcblk0p5 rw\n"
        "50 49 0:43 / /mnt/card rw - tmpfs tmpfs rw\n";

class MountFactsTest : public testing::Test {
  protected:
    MountFactsTest() {
        tree_.Write("/proc/self/mountinfo", kMountinfo);
        tree_.Write("/sys/dev/block/254:5/dm/name", "userdata\n");
        tree_.Write("/sys/dev/block/254:5/queue/discard_max_bytes", "134217728\n");
        tree_.Write("/sys/dev/block/254:5/queue/write_cache", "write back\n");
        tree_.Write("/sys/dev/block/179:3/queue/discard_max_bytes", "0\n");
        kernel_.Add("/data", FakeSyscalls::Mount{.device = 1, .size_bytes = 8 * kGib});
    }

    MountAuditInputs Read(std::optional<bool> volatile_cache = {}) {
        FileReader files = tree_.files();
        android::base::Result<MountAuditInputs> inputs =
                ReadMountFacts(files, kernel_, volatile_cache, trimmed_,
                               [this](const std::string& name) { return properties_[name]; });
        EXPECT_TRUE(inputs.ok()) << inputs.error();
        return *inputs;
    }

    std::string Layer() { return Read().mounts.at(0).layer; }

    Tree tree_;
    FakeSyscalls kernel_;
    std::vector<std::string> trimmed_ = {"/data"};
    std::map<std::string, std::string> properties_;
};

TEST_F(MountFactsTest, EachFileSystemOnce) {
    MountAuditInputs inputs = Read();
    std::vector<std::string> mounts;
    for (const AuditedMount& audited : inputs.mounts) mounts.push_back(audited.mount.mount_point);
    EXPECT_THAT(mounts, ElementsAre("/data", "/metadata", "/mnt/user/0/emulated"));
    EXPECT_EQ(8 * kGib, inputs.mounts[0].size_bytes);
    EXPECT_EQ(4 * kGib, inputs.mounts[0].free_bytes);
    EXPECT_EQ(true, inputs.mounts[0].discards);
    EXPECT_TRUE(inputs.mounts[0].maintained);
    EXPECT_EQ(std::nullopt, inputs.mounts[1].size_bytes);
    EXPECT_EQ(false, inputs.mounts[1].discards);
    EXPECT_FALSE(inputs.mounts[1].maintained);
    EXPECT_EQ("none", inputs.mounts[1].layer);
    EXPECT_EQ(std::nullopt, inputs.mounts[2].discards);
}

std::string Recorded(const std::string& name) {
    std::string text;
    EXPECT_TRUE(android::base::ReadFileToString(TestDataDirectory() + "/mountinfo/" + name, &text));
    return text;
}

// Root solutions mount the file system of /data a second time, before or after it and with other
// options.
TEST_F(MountFactsTest, TheMountThatPeopleKnow) {
    constexpr char kMirror[] = "30 1 179:2 / /mirror rw,relatime - ext4 /dev/block/data rw\n";
    constexpr char kData[] = "31 1 179:2 / /data rw,noatime - ext4 /dev/block/userdata rw\n";
    constexpr char kAgain[] = "35 31 179:2 / /data rw,noatime - ext4 /dev/block/userdata rw\n";
    constexpr char kOver[] = "32 31 0:40 / /data rw - tmpfs tmpfs rw\n";
    constexpr char kCache[] = "33 1 179:3 / /cache rw,noatime - ext4 /dev/block/cache rw\n";
    constexpr char kDeep[] = "34 1 179:3 / /sbin/.magisk/mirror/cache rw - ext4 /dev/b/cache rw\n";
    struct Row {
        std::string mountinfo;
        std::vector<std::string> mounts;
    };
    for (const Row& row :
         {Row{Recorded("magisk-mirror"), {"/data", "/cache"}},
          Row{std::string(kMirror) + kData, {"/data"}},
          Row{std::string(kData) + kMirror, {"/data"}}, Row{std::string(kData) + kAgain, {"/data"}},
          Row{std::string(kMirror) + kData + kOver, {"/data"}},
          Row{std::string(kData) + kOver + kMirror, {"/data"}},
          Row{std::string(kDeep) + kCache, {"/cache"}},
          Row{std::string(kCache) + kDeep, {"/cache"}}}) {
        tree_.Write("/proc/self/mountinfo", row.mountinfo);
        std::vector<std::string> mounts;
        for (const AuditedMount& audited : Read().mounts) {
            mounts.push_back(audited.mount.mount_point);
            EXPECT_TRUE(audited.mount.HasMountOption("noatime")) << row.mountinfo;
        }
        EXPECT_EQ(row.mounts, mounts) << row.mountinfo;
    }
    tree_.Write("/proc/self/mountinfo", std::string(kMirror) + kData);
    EXPECT_TRUE(Read().mounts.at(0).maintained);
    // statvfs(2) and FITRIM would act on the covering mount.
    tree_.Write("/proc/self/mountinfo", std::string(kData) + kOver);
    EXPECT_EQ(std::nullopt, Read().mounts.at(0).size_bytes);
    EXPECT_FALSE(Read().mounts.at(0).maintained);
    EXPECT_EQ("unmount what lies over it", AuditMounts(Read()).at(0).change);
    tree_.Write("/proc/self/mountinfo", std::string(kData) + kOver + kMirror);
    EXPECT_EQ("add /mirror to ro.storekeeper.trim.mounts", AuditMounts(Read()).at(0).change);
}

TEST_F(MountFactsTest, APatternCoversWhatItMatches) {
    trimmed_ = {"/cache", "/mnt/expand/*"};
    struct Row {
        const char* mount_point;
        bool maintained;
    };
    for (const Row& row : {Row{"/cache", true}, Row{"/cache/x", false},
                           Row{"/mnt/expand/57f8f4bc-abf4-655f-bf67-946fc0f9f25b", true},
                           Row{"/mnt/expand/x/y", false}, Row{"/mnt/expand", false},
                           Row{"/mnt/expander", false}, Row{"/mnt/expand/", false}}) {
        tree_.Write("/proc/self/mountinfo", std::string("30 1 1:0 / ") + row.mount_point +
                                                    " rw,noatime - ext4 /dev/block/ram0 rw\n");
        EXPECT_EQ(row.maintained, Read().mounts.at(0).maintained) << row.mount_point;
    }
}

// Android-x86 mounts only a folder of its file system, as /data.
TEST_F(MountFactsTest, DataIsAFolder) {
    const std::string android_x86 = Recorded("android-x86");
    tree_.Write("/proc/self/mountinfo", android_x86);
    MountAuditInputs inputs = Read();
    ASSERT_EQ(1U, inputs.mounts.size());
    EXPECT_FALSE(inputs.mounts[0].maintained);
    std::vector<MountFinding> findings = AuditMounts(inputs);
    EXPECT_THAT(Codes(findings),
                ElementsAre("data_folder warning", "encryption info", "ext4_fsync info"));
    EXPECT_EQ("/data", findings[0].mount);
    EXPECT_EQ(
            "it is the folder /android/data of the file system on /dev/block/sda3, whose root is "
            "mounted nowhere",
            findings[0].text);
    EXPECT_THAT(findings[0].cost, HasSubstr("nothing trims it"));
    EXPECT_THAT(findings[0].change, HasSubstr("mount that root"));
    // The root is mounted elsewhere.
    tree_.Write("/proc/self/mountinfo",
                android_x86 + "9000 8607 8:3 / /mnt/disk rw,noatime - ext4 /dev/block/sda3 rw\n");
    findings = AuditMounts(Read());
    EXPECT_EQ("data_folder", findings[0].code);
    EXPECT_THAT(findings[0].text, HasSubstr("whose root is mounted on /mnt/disk"));
    EXPECT_EQ("add /mnt/disk to ro.storekeeper.trim.mounts", findings[0].change);
    trimmed_ = {"/mnt/*"};
    inputs = Read();
    ASSERT_EQ(1U, inputs.mounts.size());
    EXPECT_TRUE(inputs.mounts[0].maintained);
    EXPECT_THAT(Codes(AuditMounts(inputs)),
                ElementsAre("data_folder info", "encryption info", "ext4_fsync info"));
}

// A OnePlus 8 Pro with Android 11, before FUSE passthrough existed (a note of 2020-11-23, "Android
// Flashing Device"): vold mounts /mnt/pass_through everywhere. MediaProvider asks the property.
TEST_F(MountFactsTest, FusePassthroughIsAProperty) {
    tree_.Write("/proc/self/mountinfo",
                "50 21 0:90 / /storage/emulated rw,nosuid,nodev,noexec,noatime - fuse /dev/fuse "
                "rw,lazytime,user_id=0,group_id=0,allow_other\n"
                "51 21 0:89 / /mnt/pass_through/0/emulated rw,nosuid,nodev,noexec,noatime - "
                "sdcardfs /data/media rw,fsuid=1023,fsgid=1023,gid=9997,multiuser,mask=7\n");
    std::vector<MountFinding> findings = AuditMounts(Read());
    EXPECT_THAT(Codes(findings), ElementsAre("fuse warning"));
    EXPECT_THAT(findings[0].change, Not(HasSubstr("/mnt/pass_through")));
    properties_["persist.sys.fuse.passthrough.enable"] = "true";
    findings = AuditMounts(Read());
    EXPECT_THAT(Codes(findings), ElementsAre("fuse info"));
    EXPECT_THAT(findings[0].text, HasSubstr("if the kernel has it"));
}

// The image of a root solution's modules (tiann/KernelSU, issue 419). Trims refuse loop devices.
TEST_F(MountFactsTest, ALoopDeviceNeedsNoDiscard) {
    tree_.Write("/proc/self/mountinfo",
                "60 40 7:248 / /data/adb/modules rw,noatime - ext4 /dev/block/loop31 "
                "rw,seclabel\n");
    EXPECT_THAT(Codes(AuditMounts(Read())), ElementsAre("no_discard warning"));
    tree_.Write("/sys/dev/block/7:248/loop/backing_file", "/data/adb/ksu/modules.img\n");
    EXPECT_THAT(Codes(AuditMounts(Read())), IsEmpty());
}

// fstab.mata of the Essential PH-1 (EssentialOpenSource/device_essential_mata). vold's mode "ice"
// is FSCRYPT_MODE_PRIVATE: the storage host encrypts, and no mount option shows it.
TEST_F(MountFactsTest, TheStorageHostEncryptsInModeIce) {
    tree_.Write("/proc/self/mountinfo",
                "40 21 8:13 / /data rw,nosuid,nodev,noatime - ext4 /dev/block/sda13 "
                "rw,noauto_da_alloc\n");
    properties_["ro.crypto.type"] = "file";
    properties_["ro.boot.hardware"] = "mata";
    std::vector<MountFinding> findings = AuditMounts(Read());
    EXPECT_THAT(Codes(findings), ElementsAre("encryption info", "ext4_fsync info"));
    EXPECT_EQ("CPU time for each byte", findings[0].cost);
    tree_.Write("/vendor/etc/fstab.mata",
                "/dev/block/platform/soc/1da4000.ufshc/by-name/userdata /data ext4 "
                "noatime,nosuid,nodev,barrier=1,noauto_da_alloc "
                "wait,check,formattable,fileencryption=ice,quota\n");
    findings = AuditMounts(Read());
    EXPECT_THAT(Codes(findings), ElementsAre("encryption info", "ext4_fsync info"));
    EXPECT_EQ("encrypted by fscrypt, by the storage host (fileencryption=ice)", findings[0].text);
    EXPECT_EQ("nothing", findings[0].change);
}

TEST_F(MountFactsTest, Layers) {
    EXPECT_EQ("", Layer());
    properties_["ro.crypto.state"] = "encrypted";
    properties_["ro.crypto.type"] = "block";
    EXPECT_EQ("dm-crypt", Layer());
    properties_["ro.crypto.type"] = "file";
    EXPECT_EQ("fscrypt", Layer());
    properties_["ro.crypto.metadata.enabled"] = "true";
    EXPECT_EQ("dm-default-key", Layer());
    tree_.Write("/sys/dev/block/254:5/dm/uuid", "LVM-data\n");
    EXPECT_EQ("dm-default-key", Layer());
    tree_.Write("/sys/dev/block/254:5/dm/uuid", "CRYPT-PLAIN-data\n");
    EXPECT_EQ("dm-crypt", Layer());
    tree_.Remove("/sys/dev/block/254:5/dm");
    properties_.clear();
    EXPECT_EQ("none", Layer());
    // The volume is encrypted by an unknown layer.
    properties_["ro.crypto.state"] = "encrypted";
    EXPECT_EQ("", Layer());
    // inlinecrypt proves encryption without any property.
    properties_.clear();
    tree_.Write("/proc/self/mountinfo",
                "40 21 254:5 / /data rw - f2fs /dev/block/dm-5 rw,inlinecrypt\n");
    EXPECT_EQ("fscrypt", Layer());
    EXPECT_EQ("inlinecrypt", Read().mounts.at(0).inline_crypt);
}

TEST_F(MountFactsTest, Cache) {
    tree_.Write("/sys/dev/block/254:5/uevent", "DEVNAME=mmcblk0\n");
    EXPECT_EQ(std::nullopt, Read().volatile_cache);
    tree_.Write("/sys/dev/block/254:5/uevent", "DEVNAME=sda\n");
    EXPECT_EQ(true, Read().volatile_cache);
    tree_.Write("/sys/dev/block/254:5/queue/write_cache", "write through\n");
    EXPECT_EQ(false, Read().volatile_cache);
    // The chip's register takes precedence.
    EXPECT_EQ(true, Read(true).volatile_cache);
    // The cache of an unknown disk is unknown.
    tree_.Write("/sys/dev/block/254:5/slaves/sda1/dev", "garbage\n");
    EXPECT_EQ(std::nullopt, Read().volatile_cache);
}

TEST_F(MountFactsTest, WithoutATableThereIsNoAudit) {
    tree_.Remove("/proc/self/mountinfo");
    EXPECT_FALSE(ReadMountFacts(tree_.files(), kernel_, {}, {}, [](const std::string&) {
                     return "";
                 }).ok());
}

}  // namespace
}  // namespace storekeeper
