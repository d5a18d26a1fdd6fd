// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/chip_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/sysmacros.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr char kCid[] = "150100544553544d3107deadbeef3b9f";

TEST(CidTest, HidesTheSerialNumber) {
    EXPECT_EQ("150100544553544d3107********3b**", *MaskedCid(kCid));
}

TEST(CidTest, RefusesWhatIsNone) {
    for (const char* text :
         {"", "15", "150100544553544d3107deadbeef3b9g", "150100544553544d3107deadbeef3b9f0",
          " 150100544553544d3107deadbeef3b9"}) {
        EXPECT_FALSE(MaskedCid(text).ok()) << text;
    }
}

TEST(CidTest, KnowsMakers) {
    EXPECT_EQ("Samsung", EmmcMaker(0x15));
    EXPECT_EQ("SK Hynix", EmmcMaker(0x90));
    EXPECT_EQ("", EmmcMaker(0x1515));
    EXPECT_EQ("", EmmcMaker(0));
}

TEST(ChipIdTest, DistinguishesChipsAndNothingElse) {
    const std::string id = ChipId(kCid);
    EXPECT_THAT(id, MatchesRegex("[0-9a-f]{16}"));
    EXPECT_EQ(id, ChipId("150100544553544D3107DEADBEEF3B9F"));
    EXPECT_NE(id, ChipId("150100544553544d3107deadbeee3b9f"));
    EXPECT_THAT(id, Not(HasSubstr("dead")));
    EXPECT_EQ("", ChipId("garbage"));
    // FNV-1a of "emmc " and the digits. The value must never change, because it is a key of the
    // wear ledger.
    EXPECT_EQ("0073fa0801d71038", id);
}

TEST(ChipIdTest, AUfsNeedsASerialNumberAndEachFieldCounts) {
    EXPECT_EQ("", UfsChipId("A", "B", ""));
    EXPECT_THAT(UfsChipId("A", "B", "C"), MatchesRegex("[0-9a-f]{16}"));
    EXPECT_NE(UfsChipId("A", "B", "C"), UfsChipId("AB", "", "C"));
}

const dev_t kCard = makedev(179, 0);
const dev_t kUfs = makedev(8, 0);
constexpr char kCardNode[] = "/sys/dev/block/179:0/";
constexpr char kHost[] = "/sys/devices/ufshc/";
constexpr char kUnit[] = "/sys/devices/ufshc/host0/0:0:0:0/";

// Disk 8:0 is a logical unit of a UFS without any descriptors.
class UfsChipTest : public testing::Test {
  protected:
    UfsChipTest() {
        tree_.MakeDirectory("/sys/dev/block/8:0");
        tree_.MakeDirectory(kUnit);
        tree_.Link("/sys/dev/block/8:0/device", tree_.PathOf(kUnit));
    }
    Chip Read() {
        android::base::Result<Chip> chip = ChipOf(tree_.files(), kUfs);
        EXPECT_TRUE(chip.ok()) << chip.error().message();
        return chip.value_or(Chip());
    }

    Tree tree_;
};

TEST(ChipTest, ACardIsKnownByItsCidAndFirmware) {
    Tree tree;
    tree.Write(std::string(kCardNode) + "device/cid", std::string(kCid) + "\n");
    EXPECT_EQ((Chip{ChipId(kCid), ""}), *ChipOf(tree.files(), kCard));
    tree.Write(std::string(kCardNode) + "device/fwrev", "0x0700000000000000\n");
    EXPECT_EQ((Chip{ChipId(kCid), "0x0700000000000000"}), *ChipOf(tree.files(), kCard));
}

TEST(ChipTest, IsNoneWithoutAnIdentity) {
    Tree tree;
    EXPECT_THAT(ChipOf(tree.files(), kCard).error().message(), HasSubstr("179:0 has no identity"));
    tree.Write(std::string(kCardNode) + "uevent", "DEVNAME=vda\n");
    EXPECT_THAT(ChipOf(tree.files(), kCard).error().message(), HasSubstr("vda has no identity"));
}

TEST_F(UfsChipTest, IsKnownByItsSerialNumber) {
    const std::string strings = std::string(kHost) + "string_descriptors/";
    tree_.Write(strings + "manufacturer_name", "TESTVND\n");
    tree_.Write(strings + "product_name", "TESTUFS64G\n");
    tree_.Write(strings + "product_revision", "0300\n");
    tree_.Write(strings + "serial_number", "deadbeef0123\n");
    EXPECT_EQ((Chip{UfsChipId("TESTVND", "TESTUFS64G", "deadbeef0123"), "0300"}), Read());
}

TEST_F(UfsChipTest, IsKnownByItsModelAndSizeWithoutOne) {
    tree_.Write(std::string(kHost) + "string_descriptors/serial_number", "(null)\n");
    EXPECT_FALSE(ChipOf(tree_.files(), kUfs).ok());
    tree_.Write(std::string(kUnit) + "vendor", "SAMSUNG\n");
    tree_.Write(std::string(kUnit) + "model", "KLUBG4G1CE-B0B1\n");
    tree_.Write(std::string(kUnit) + "rev", "0800\n");
    tree_.Write("/sys/dev/block/8:0/size", "62480384\n");
    const Chip chip = Read();
    EXPECT_THAT(chip.id, MatchesRegex("[0-9a-f]{16}"));
    EXPECT_EQ("0800", chip.firmware);
    tree_.Write("/sys/dev/block/8:0/size", "124960768\n");
    EXPECT_NE(chip.id, Read().id);
}

TEST_F(UfsChipTest, HasAHostOfAVendorsKernel) {
    tree_.Write(std::string(kHost) + "health", "Health Descriptor\n");
    tree_.Write(std::string(kUnit) + "model", "KLUBG4G1CE-B0B1\n");
    EXPECT_THAT(Read().id, MatchesRegex("[0-9a-f]{16}"));
    // The logical unit's host is no longer a UFS.
    tree_.Remove(std::string(kHost) + "health");
    EXPECT_FALSE(ChipOf(tree_.files(), kUfs).ok());
}

// drivers/scsi/ufs/ufshcd.c of CruelKernel/samsung-exynos9820 (4.14),
// Huawei-Dev/android_kernel_huawei_kirin980 and KudProject/kernel_xiaomi_sdm710.
TEST_F(UfsChipTest, HasAHostWithoutDescriptors) {
    tree_.Write(std::string(kHost) + "rpm_lvl", "\nCurrent Runtime PM level [3] => ...\n");
    tree_.Write(std::string(kUnit) + "model", "KLUDG4U1EA-B0C1\n");
    EXPECT_THAT(Read().id, MatchesRegex("[0-9a-f]{16}"));
}

// ufshcd_add_sysfs_nodes() in drivers/scsi/ufs/ufshcd.c of
// 8890q/android_kernel_samsung_universal8890 (3.18) and
// exynos8895/android_kernel_samsung_universal8895 (4.4): every file is the SCSI host's.
TEST_F(UfsChipTest, HasAHostWithSamsungsFilesAlone) {
    tree_.Write(std::string(kUnit) + "model", "KLUBG4G1CE-B0B1\n");
    // A SCSI host of any driver has this file (drivers/scsi/scsi_sysfs.c).
    tree_.Write(std::string(kHost) + "host0/scsi_host/host0/proc_name", "ufshcd\n");
    EXPECT_FALSE(ChipOf(tree_.files(), kUfs).ok());
    tree_.Write(std::string(kHost) + "host0/scsi_host/host0/lt", "2");
    EXPECT_THAT(Read().id, MatchesRegex("[0-9a-f]{16}"));
}

// The controller of a stick on the same phone is another one.
TEST(ChipTest, AStickBesideSamsungsUfsIsNone) {
    Tree tree;
    const std::string platform = "/sys/devices/platform/";
    const std::string stick = platform + "12200000.usb/usb1/1-1/1-1:1.0/host1/target1:0:0/1:0:0:0/";
    tree.Write(platform + "11120000.ufs/host0/scsi_host/host0/lt", "2");
    tree.Write(stick + "model", "STICK\n");
    tree.Link("/sys/block/sdb/device", tree.PathOf(stick));
    EXPECT_THAT(UfsHostOf(tree.files(), "/sys/block/sdb").error().message(),
                HasSubstr("sdb is not a UFS"));
}

}  // namespace
}  // namespace storekeeper
