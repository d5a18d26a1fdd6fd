// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "health/card_health.h"
#include "health/chip_sysfs.h"
#include "health/storage_health.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kHost[] = "/sys/devices/platform/soc/1d84000.ufshc/";
constexpr char kUnit[] = "host0/target0:0:0/0:0:0:0/";

// A phone whose sda is a unit of a UFS.
class UfsTree : public Tree {
  public:
    UfsTree() {
        Write(std::string(kHost) + kUnit + "vendor", "TESTVND\n");
        Write("/sys/block/sda/size", "124960768\n");
        const std::string unit = "../.." + std::string(kHost).substr(4) + kUnit;
        EXPECT_EQ(0, symlink(unit.c_str(), PathOf("/sys/block/sda/device").c_str()));
    }
    void Set(const std::string& attribute, std::string_view content) {
        Write(kHost + attribute, content);
    }
    void SetAll() {
        Set("string_descriptors/manufacturer_name", "TESTVND\n");
        Set("string_descriptors/product_name", "TESTUFS64G\n");
        Set("string_descriptors/product_revision", "0300\n");
        Set("string_descriptors/serial_number", "deadbeef0123\n");
        Set("device_descriptor/specification_version", "0x0310\n");
        Set("device_descriptor/manufacturing_date", "0x0520\n");
        Set("health_descriptor/eol_info", "0x01\n");
        Set("health_descriptor/life_time_estimation_a", "0x02\n");
        Set("health_descriptor/life_time_estimation_b", "0x03\n");
        Set("attributes/wb_avail_buf", "0x0000000A\n");
        Set("attributes/wb_life_time_est", "0x00000002\n");
    }
    HealthReport Report() {
        return MakeHealthReport(ReadStorageHealth(files(), std::nullopt, nullptr), std::nullopt);
    }
};

const HealthItem& ItemOf(const HealthReport& report, const std::string& name) {
    for (const HealthItem& item : report.storage.items) {
        if (item.name == name) return item;
    }
    ADD_FAILURE() << "no item " << name;
    static const HealthItem kNone;
    return kNone;
}

TEST(UfsSysfsTest, ReadsMainline) {
    UfsTree tree;
    tree.SetAll();
    HealthReport report = tree.Report();
    EXPECT_EQ(StorageHealth::Kind::kUfs, report.storage.kind);
    EXPECT_EQ("sda", report.storage.device);
    EXPECT_EQ(124960768U, report.storage.sectors);
    EXPECT_EQ("ufs", report.wear_source);
    EXPECT_EQ("Storage life: 20-30 % used (70-80 % left), pre-EOL normal", report.verdict.line);
    EXPECT_EQ("TESTUFS64G", ItemOf(report, "product_name").value);
    EXPECT_EQ("UFS 3.1", ItemOf(report, "specification_version").explanation);
    EXPECT_EQ("05/2020", ItemOf(report, "manufacturing_date").explanation);
    EXPECT_EQ("10-20 % used", ItemOf(report, "life_time_estimation_a").explanation);
    EXPECT_EQ("100 % of the buffer is free", ItemOf(report, "wb_avail_buf").explanation);
    EXPECT_EQ("10-20 % used", ItemOf(report, "wb_life_time_est").explanation);
    EXPECT_EQ(16U, report.storage.chip.size());
    for (const HealthItem& item : report.storage.items) {
        EXPECT_EQ("", item.problem) << item.name;
        EXPECT_EQ("ufs", item.source) << item.name;
        EXPECT_THAT(item.value.value_or(""), Not(HasSubstr("deadbeef"))) << item.name;
    }
}

TEST(UfsSysfsTest, WithoutSerialNumberOrBoosterTheRestIsThere) {
    UfsTree tree;
    tree.SetAll();
    tree.Remove(std::string(kHost) + "string_descriptors/serial_number");
    tree.Remove(std::string(kHost) + "attributes");
    HealthReport report = tree.Report();
    EXPECT_EQ("", report.storage.chip);
    for (const HealthItem& item : report.storage.items) EXPECT_NE("wb_avail_buf", item.name);
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 20-30 % used"));
}

// As QEMU's.
TEST(UfsSysfsTest, AStringThatTheKernelPrintsAsNullIsNone) {
    UfsTree tree;
    tree.SetAll();
    tree.Set("string_descriptors/serial_number", "(null)\n");
    tree.Set("string_descriptors/product_revision", "(null)\n");
    HealthReport report = tree.Report();
    EXPECT_EQ("", report.storage.chip);
    EXPECT_EQ(std::nullopt, ItemOf(report, "product_revision").value);
    EXPECT_EQ("", ItemOf(report, "product_revision").problem);
}

TEST(UfsSysfsTest, ReadsWhatVendorsHave) {
    UfsTree directory;
    directory.Set("health/eol", "0x2\n");
    directory.Set("health/lifetimeA", "0x9\n");
    directory.Set("health/lifetimeB", "0x1\n");
    HealthReport report = directory.Report();
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 80-90 % used (10-20 % left), "));
    EXPECT_EQ(Verdict::Level::kWarning, report.verdict.level);

    UfsTree file;
    file.Set("health",
             "Health Descriptor[Byte offset 0x2]: bPreEOLInfo = 0x1\n"
             "Health Descriptor[Byte offset 0x3]: bDeviceLifeTimeEstA = 0x4\n"
             "Health Descriptor[Byte offset 0x4]: bDeviceLifeTimeEstB = 0x5\n");
    report = file.Report();
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 40-50 % used"));
    EXPECT_EQ("0x05", ItemOf(report, "bDeviceLifeTimeEstB").value);
}

TEST(UfsSysfsTest, AVendorsPercentIsShownAndNotJudged) {
    UfsTree tree;
    tree.SetAll();
    tree.Set("health_descriptor/life_time_estimation_c", "0x5f\n");
    HealthReport report = tree.Report();
    EXPECT_EQ("95 % used by the vendor's count",
              ItemOf(report, "life_time_estimation_c").explanation);
    EXPECT_EQ(30, report.verdict.used_to_pct);
}

TEST(UfsSysfsTest, ATextThatIsNoDescriptorIsTheProblem) {
    UfsTree file;
    file.Set("health", "hello\n");
    EXPECT_THAT(ItemOf(file.Report(), "health").problem, HasSubstr("/health: no field"));
    file.Set("health", std::string_view("\x01\n", 2));
    EXPECT_THAT(ItemOf(file.Report(), "health").problem, HasSubstr("is not text"));
    // A field that the text lacks has no value.
    file.Set("health", "bPreEOLInfo = 0x1\n");
    const HealthReport report = file.Report();
    EXPECT_EQ("0x01", ItemOf(report, "bPreEOLInfo").value);
    EXPECT_EQ(std::nullopt, ItemOf(report, "bDeviceLifeTimeEstA").value);
}

TEST(UfsSysfsTest, AFileOfThatNameNeedsAHostBesideIt) {
    Tree tree;
    tree.Write("/sys/devices/other/health", "bPreEOLInfo = 0x1\n");
    tree.MakeDirectory("/sys/devices/other/scsi/target/unit");
    tree.Link("/sys/block/sda/device", "../../devices/other/scsi/target/unit");
    EXPECT_FALSE(IsUfsDisk(tree.files(), "sda"));
    tree.MakeDirectory("/sys/devices/other/host0");
    EXPECT_TRUE(IsUfsDisk(tree.files(), "sda"));
}

TEST(UfsSysfsTest, AChipWithoutHealthDescriptorIsAUfsAllTheSame) {
    UfsTree tree;
    tree.Set("string_descriptors/product_name", "TESTUFS64G\n");
    const HealthReport report = tree.Report();
    EXPECT_EQ(StorageHealth::Kind::kUfs, report.storage.kind);
    EXPECT_EQ(std::nullopt, ItemOf(report, "eol_info").value);
    EXPECT_EQ("Storage life: not reported, pre-EOL not reported", report.verdict.line);
}

TEST(UfsSysfsTest, TheFirstOfSeveralUnits) {
    UfsTree tree;
    tree.SetAll();
    tree.Write("/sys/block/sdb/size", "1\n");
    tree.Link("/sys/block/sdb/device",
              "../../devices/platform/soc/1d84000.ufshc/" + std::string(kUnit));
    EXPECT_EQ("sda", tree.Report().storage.device);
}

TEST(UfsSysfsTest, WhatAChipRefusesIsNotReported) {
    UfsTree tree;
    tree.SetAll();
    tree.Remove(std::string(kHost) + "attributes/wb_life_time_est");
    // To read a namespace is EINVAL, as an attribute is that the chip lacks.
    tree.Link(std::string(kHost) + "attributes/wb_life_time_est", "/proc/self/ns/mnt");
    const HealthReport report = tree.Report();
    EXPECT_EQ(std::nullopt, ItemOf(report, "wb_life_time_est").value);
    EXPECT_EQ("", ItemOf(report, "wb_life_time_est").problem);
}

TEST(UfsSysfsTest, NumbersOutsideTheStandard) {
    struct Row {
        const char* attribute;
        const char* content;
        const char* explanation;
    };
    UfsTree tree;
    tree.SetAll();
    for (const Row& row :
         {Row{"device_descriptor/manufacturing_date", "0x0000", "not set"},
          Row{"device_descriptor/manufacturing_date", "0x0020", ""},
          Row{"device_descriptor/manufacturing_date", "0x0a20", ""},
          Row{"device_descriptor/manufacturing_date", "0x1220", "12/2020"},
          Row{"device_descriptor/manufacturing_date", "0x1320", ""},
          Row{"device_descriptor/manufacturing_date", "0x10520", ""},
          Row{"attributes/wb_avail_buf", "0xb", "reserved value"},
          Row{"attributes/wb_life_time_est", "0x100", "reserved value"},
          Row{"health_descriptor/life_time_estimation_c", "0x65", "reserved value"}}) {
        tree.Set(row.attribute, std::string(row.content) + "\n");
        const std::string name = std::string(row.attribute);
        EXPECT_EQ(row.explanation,
                  ItemOf(tree.Report(), name.substr(name.find('/') + 1)).explanation)
                << row.attribute << " " << row.content;
    }
}

TEST(UfsSysfsTest, ADiskOfAnotherKindIsNone) {
    Tree tree;
    tree.Write("/sys/devices/usb/host1/target1:0:0/1:0:0:0/vendor", "STICK\n");
    tree.MakeDirectory("/sys/block/sda");
    ASSERT_EQ(0, symlink("../../devices/usb/host1/target1:0:0/1:0:0:0",
                         tree.PathOf("/sys/block/sda/device").c_str()));
    EXPECT_FALSE(IsUfsDisk(tree.files(), "sda"));
    EXPECT_THAT(ReadUfsHealth(tree.files(), "sda").problem, HasSubstr("sda is not a UFS"));
}

TEST(UfsSysfsTest, TheChipOfDataIsTaken) {
    UfsTree tree;
    tree.SetAll();
    tree.Write("/sys/block/sda/dev", "8:0\n");
    tree.Write("/sys/block/mmcblk0/dev", "179:0\n");
    tree.Write("/sys/block/mmcblk0/device/type", "MMC\n");
    EXPECT_EQ("sda", ReadStorageHealth(tree.files(), "8:0", nullptr).device);
    EXPECT_EQ("mmcblk0", ReadStorageHealth(tree.files(), "179:0", nullptr).device);
    // Not known where /data is: the first eMMC.
    EXPECT_EQ("mmcblk0", ReadStorageHealth(tree.files(), std::nullopt, nullptr).device);
    EXPECT_EQ("mmcblk0", ReadStorageHealth(tree.files(), "7:0", nullptr).device);
}

struct Spoiled {
    const char* name;
    std::string content;
};

class UfsGarbageTest : public testing::TestWithParam<std::tuple<const char*, Spoiled>> {};

TEST_P(UfsGarbageTest, SpoilsOneItemOnly) {
    const auto& [attribute, garbage] = GetParam();
    UfsTree tree;
    tree.SetAll();
    tree.Set(attribute, garbage.content);
    HealthReport report = tree.Report();
    int problems = 0;
    for (const HealthItem& item : report.storage.items) {
        const bool spoiled = std::string(attribute).ends_with("/" + item.name);
        EXPECT_EQ(spoiled, !item.value.has_value()) << item.name;
        if (!item.problem.empty()) ++problems;
    }
    EXPECT_EQ(1, problems);
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: "));
}

INSTANTIATE_TEST_SUITE_P(
        All, UfsGarbageTest,
        testing::Combine(testing::Values("device_descriptor/specification_version",
                                         "health_descriptor/eol_info",
                                         "health_descriptor/life_time_estimation_a",
                                         "health_descriptor/life_time_estimation_b",
                                         "attributes/wb_avail_buf", "attributes/wb_life_time_est"),
                         testing::Values(Spoiled{"Empty", ""},
                                         Spoiled{"Binary", std::string("\x01\0\xff", 3)},
                                         Spoiled{"Text", "hello\n"}, Spoiled{"Negative", "-1\n"},
                                         Spoiled{"OneMegabyte", std::string(1 << 20, '1')})),
        [](const auto& row) {
            std::string name = std::get<0>(row.param);
            return name.substr(name.find('/') + 1) + std::get<1>(row.param).name;
        });

TEST(UfsHealthTextTest, RefusesWhatIsNone) {
    struct Row {
        const char* text;
        const char* error;
    };
    for (const Row& row :
         {Row{"", "no field"}, Row{"hello = 0x1\n", "no field"}, Row{"= 0x1\n", "no field"},
          Row{"bPreEOLInfo = \n", "bPreEOL"}, Row{"bPreEOLInfo = 0x100\n", "does not fit a byte"},
          Row{"bPreEOLInfo = 0x1\nbPreEOLInfo = 0x2\n", "twice, with different values"}}) {
        auto wear = ParseUfsHealthText(row.text);
        ASSERT_FALSE(wear.ok()) << row.text;
        EXPECT_THAT(wear.error().message(), HasSubstr(row.error));
    }
    EXPECT_EQ(1, ParseUfsHealthText("x: bPreEOLInfo = 0x1")->pre_eol_info);
}

}  // namespace
}  // namespace storekeeper
