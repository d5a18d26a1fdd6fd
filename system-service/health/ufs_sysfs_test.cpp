// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ufs_sysfs.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "health/card_health.h"
#include "health/storage_health.h"
#include "mounts/chip_id.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kHost[] = "/sys/devices/platform/soc/1d84000.ufshc/";
constexpr char kUnit[] = "host0/target0:0:0/0:0:0:0/";

// A phone whose sda is a logical unit of a UFS.
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
    // Adds the attributes of a UFS 4.1 with Linux 6.18.
    void SetNew() {
        SetAll();
        Set("device_descriptor/specification_version", "0x0410\n");
        Set("critical_health", "0\n");
        Set("device_lvl_exception_count", "2\n");
        Set("device_lvl_exception_id", "18446744073709551615\n");
        Set("attributes/bkops_status", "0x00000001\n");
        Set("flags/bkops_enable", "true\n");
        Set(std::string(kUnit) + "unit_descriptor/provisioning_type", "0x03\n");
        Set(std::string(kUnit) + "unit_descriptor/logical_block_size", "0x0C\n");
        Set(std::string(kUnit) + "unit_descriptor/wb_buf_alloc_units", "0x00000000\n");
        Set("geometry_descriptor/allocation_unit_size", "0x01\n");
        Set("geometry_descriptor/segment_size", "0x00002000\n");
        Set("device_descriptor/wb_type", "0x01\n");
        Set("device_descriptor/wb_shared_alloc_units", "0x00001000\n");
        Set("attributes/wb_cur_buf", "0x00000800\n");
        Set("flags/wb_enable", "true\n");
        Set("flags/wb_flush_en", "false\n");
        Set("flags/wb_flush_during_h8", "true\n");
        Set("attributes/wb_resize_hint", "keep\n");
        Set("wb_on", "1\n");
        Set("hwmon/hwmon3/name", "ufs\n");
        Set("hwmon/hwmon3/temp1_input", "41000\n");
        Set("hwmon/hwmon3/temp1_crit", "85000\n");
        Set("hwmon/hwmon3/temp1_lcrit", "-25000\n");
        Set("hid/state", "defrag_in_progress\n");
        Set("hid/fragmented_size", "262144\n");
        Set("hid/defrag_size", "4294967295\n");
        Set("hid/progress_ratio", "40\n");
    }
    // Simulates a refusal by the chip: reading a namespace file fails with EINVAL.
    void Refuse(const std::string& attribute) {
        Remove(kHost + attribute);
        Link(kHost + attribute, "/proc/self/ns/mnt");
    }
    // Simulates a driver failure: reading unmapped memory of a process fails with EIO.
    void Fail(const std::string& attribute) {
        Remove(kHost + attribute);
        Link(kHost + attribute, "/proc/self/mem");
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

// QEMU's UFS has no serial number.
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
    EXPECT_THAT(ItemOf(file.Report(), "health").problem, HasSubstr("/health: no field"));
    // A last line without a newline means a truncated file.
    file.Set("health", "bPreEOLInfo = 0x1");
    EXPECT_THAT(ItemOf(file.Report(), "health").problem, HasSubstr("/health"));
    // A field missing in the text has no value.
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
    EXPECT_FALSE(UfsHostOf(tree.files(), "/sys/block/sda").ok());
    tree.MakeDirectory("/sys/devices/other/host0");
    EXPECT_TRUE(UfsHostOf(tree.files(), "/sys/block/sda").ok());
}

TEST(UfsSysfsTest, AChipWithoutHealthDescriptorIsAUfsAllTheSame) {
    UfsTree tree;
    tree.Set("string_descriptors/product_name", "TESTUFS64G\n");
    const HealthReport report = tree.Report();
    EXPECT_EQ(StorageHealth::Kind::kUfs, report.storage.kind);
    EXPECT_EQ(std::nullopt, ItemOf(report, "eol_info").value);
    EXPECT_EQ("Storage life: not known (this kernel shows no health descriptor)",
              report.verdict.line);
}

// drivers/scsi/ufs/ufshcd.c of KudProject/kernel_xiaomi_sdm710 (4.9): the controller has rpm_lvl
// and spm_lvl alone. The phone's slot holds an SD card.
TEST(UfsSysfsTest, AKernelWithoutDescriptorsIsTheReason) {
    UfsTree tree;
    tree.Set("rpm_lvl", "\nCurrent Runtime PM level [3] => ...\n");
    tree.Set(std::string(kUnit) + "vendor", "SAMSUNG \n");
    tree.Set(std::string(kUnit) + "model", "KLUDG4U1EA-B0C1 \n");
    tree.Set(std::string(kUnit) + "rev", "0500\n");
    tree.Write("/sys/block/sda/dev", "8:0\n");
    tree.Write("/sys/block/mmcblk0/dev", "179:0\n");
    tree.Write("/sys/block/mmcblk0/device/type", "SD\n");
    const StorageHealth storage = ReadStorageHealth(tree.files(), "8:0", nullptr);
    EXPECT_EQ(StorageHealth::Kind::kUfs, storage.kind);
    EXPECT_EQ("sda", storage.device);
    const ChipFacts facts = ChipFactsOf(storage);
    EXPECT_EQ("SAMSUNG", facts.maker);
    EXPECT_EQ("KLUDG4U1EA-B0C1", facts.model);
    EXPECT_EQ("0500", facts.firmware);
    EXPECT_EQ("Storage life: not known (this kernel shows no health descriptor)",
              MakeHealthReport(storage, std::nullopt).verdict.line);
}

// UFS_DEV_ATTR(lt) in drivers/scsi/ufs/ufshcd.c of Samsung's kernels: "%01x" in
// FreshROMs/android_kernel_samsung_exynos9610_mint (4.14), "%01x\n" in
// klabit87/android_kernel_samsung_sdm845 (4.9). The first reads the chip when it initialises it,
// the second at each resume as well.
TEST(UfsSysfsTest, SamsungsKernelsShowTheLifeTimeAOnly) {
    struct Row {
        const char* content;
        std::optional<uint8_t> a;
        const char* line;
    };
    UfsTree tree;
    for (const Row& row :
         {Row{"2", 2, "Storage life: 10-20 % used (80-90 % left), pre-EOL not reported"},
          Row{"2\n", 2, "Storage life: 10-20 % used (80-90 % left), pre-EOL not reported"},
          Row{"b", 11, "Storage life: 100 % used (past its rated life), pre-EOL not reported"},
          Row{"0", 0, "Storage life: not reported, pre-EOL not reported"}}) {
        tree.Set("host0/scsi_host/host0/lt", row.content);
        const HealthReport report = tree.Report();
        EXPECT_EQ(row.a, report.wear.life_time_a);
        EXPECT_EQ(std::nullopt, report.wear.life_time_b);
        EXPECT_EQ(std::nullopt, report.wear.pre_eol_info);
        EXPECT_EQ(row.line, report.verdict.line);
        EXPECT_EQ("as the kernel last read it in this boot", report.sources.back().age);
    }
    tree.Set("host0/scsi_host/host0/lt", "hello");
    EXPECT_THAT(tree.Report().verdict.line, HasSubstr("host0/lt: 'hello' is not a hexadecimal"));
}

TEST(UfsSysfsTest, TheHealthDescriptorIsBetterThanSamsungsLifeTime) {
    UfsTree tree;
    tree.SetAll();
    tree.Set("host0/scsi_host/host0/lt", "9");
    const HealthReport report = tree.Report();
    EXPECT_EQ(2, report.wear.life_time_a);
    EXPECT_EQ("read from the chip when the report was made", report.sources.back().age);
    for (const HealthItem& item : report.storage.items) EXPECT_NE("lt", item.name);
}

TEST(UfsSysfsTest, AnSdCardIsNotTheReasonIfDataIsElsewhere) {
    UfsTree tree;
    tree.Write("/sys/block/mmcblk0/device/type", "SD\n");
    tree.Write("/sys/block/sda/dev", "8:0\n");
    EXPECT_THAT(ReadStorageHealth(tree.files(), "8:0", nullptr).problem,
                StartsWith("sda is not a UFS"));
    EXPECT_THAT(ReadStorageHealth(tree.files(), "253:0", nullptr).problem,
                StartsWith("neither eMMC nor UFS"));
    tree.Write("/sys/block/mmcblk0/dev", "179:0\n");
    EXPECT_THAT(ReadStorageHealth(tree.files(), "179:0", nullptr).problem,
                StartsWith("mmcblk0 is of type SD"));
}

TEST(UfsSysfsTest, TheFirstOfSeveralUnits) {
    UfsTree tree;
    tree.SetAll();
    tree.Write("/sys/block/sdb/size", "1\n");
    tree.Link("/sys/block/sdb/device",
              "../../devices/platform/soc/1d84000.ufshc/" + std::string(kUnit));
    EXPECT_EQ("sda", tree.Report().storage.device);
}

TEST(UfsSysfsTest, ARefusedAttributeHasNoValueAndNoProblem) {
    UfsTree tree;
    tree.SetAll();
    tree.Remove(std::string(kHost) + "attributes/wb_life_time_est");
    // Reading a namespace file fails with EINVAL, like an attribute that the chip lacks.
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
    EXPECT_FALSE(UfsHostOf(tree.files(), "/sys/block/sda").ok());
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
    // If the disk of /data is unknown, the first eMMC is taken.
    EXPECT_EQ("mmcblk0", ReadStorageHealth(tree.files(), std::nullopt, nullptr).device);
    EXPECT_EQ("mmcblk0", ReadStorageHealth(tree.files(), "7:0", nullptr).device);
}

TEST(UfsSysfsTest, ReadsUfs41) {
    UfsTree tree;
    tree.SetNew();
    const HealthReport report = tree.Report();
    struct Row {
        const char* name;
        const char* explanation;
        bool detail = true;
    };
    for (const Row& row : {Row{"critical_health", "no critical health since boot", false},
                           Row{"device_lvl_exception_count", ""},
                           Row{"device_lvl_exception_id", ""},
                           Row{"bkops_status", "operations are outstanding"},
                           Row{"bkops_enable", "on"},
                           Row{"provisioning_type", "thin: UNMAP erases, and zeros are read"},
                           Row{"logical_block_size", "4 KiB"},
                           Row{"wb_buf_alloc_units", "0 bytes"},
                           Row{"allocation_unit_size", ""},
                           Row{"segment_size", ""},
                           Row{"wb_type", "one shared buffer"},
                           Row{"wb_shared_alloc_units", "16 GiB"},
                           Row{"wb_cur_buf", "8 GiB", false},
                           Row{"wb_enable", "on", false},
                           Row{"wb_flush_en", "off"},
                           Row{"wb_flush_during_h8", "on"},
                           Row{"wb_resize_hint", ""},
                           Row{"temp1_input", "41 C", false},
                           Row{"temp1_crit", "85 C"},
                           Row{"temp1_lcrit", "-25 C"},
                           Row{"hid/state", "defragmentation in progress", false},
                           Row{"hid/fragmented_size", "1 GiB", false},
                           Row{"hid/defrag_size", "as much as possible"},
                           Row{"hid/progress_ratio", ""}}) {
        const HealthItem& item = ItemOf(report, row.name);
        EXPECT_TRUE(item.value.has_value()) << row.name;
        EXPECT_EQ("", item.problem) << row.name;
        EXPECT_EQ(row.explanation, item.explanation) << row.name;
        EXPECT_EQ(row.detail, item.detail) << row.name;
    }
    EXPECT_EQ(0U, report.storage.critical_health);
    // The driver's copy of the flag is not read.
    for (const HealthItem& item : report.storage.items) EXPECT_NE("wb_on", item.name);
}

TEST(UfsSysfsTest, CriticalHealthIsUrgentWhateverTheWearIs) {
    UfsTree tree;
    tree.SetNew();
    tree.Set("critical_health", "2\n");
    HealthReport report = tree.Report();
    EXPECT_EQ(2U, report.storage.critical_health);
    EXPECT_EQ(Verdict::Level::kUrgent, report.verdict.level);
    EXPECT_EQ(
            "Storage life: 20-30 % used (70-80 % left), pre-EOL normal; the chip reports critical "
            "health",
            report.verdict.line);
    AddForecast({}, &report);
    EXPECT_EQ(Verdict::Level::kUrgent, report.verdict.level);
    EXPECT_THAT(report.verdict.line, testing::EndsWith("; the chip reports critical health"));
    // Linux creates the attribute for older chips as well, without enabling their event.
    tree.Set("device_descriptor/specification_version", "0x0400\n");
    EXPECT_EQ(2U, tree.Report().storage.critical_health);
    tree.Set("critical_health", "0\n");
    EXPECT_EQ(std::nullopt, tree.Report().storage.critical_health);
    EXPECT_EQ("reported from UFS 4.1 on", ItemOf(tree.Report(), "critical_health").explanation);
    for (const char* garbage : {"-1\n", "0x1\n", "many\n", "2147483648\n"}) {
        tree.Set("critical_health", garbage);
        EXPECT_EQ(std::nullopt, tree.Report().storage.critical_health) << garbage;
        EXPECT_THAT(ItemOf(tree.Report(), "critical_health").problem, HasSubstr("is not a number"));
    }
}

TEST(UfsSysfsTest, AReadingThatChangesTheNextOneIsLeftOut) {
    UfsTree tree;
    tree.SetNew();
    tree.Set("attributes/exception_event_status", "0x0200\n");
    tree.Set("attributes/wb_flush_status", "0x00000003\n");
    tree.Set("attributes/wb_resize_status", "complete_success\n");
    tree.Set("ufshid/color", "RED\n");
    tree.Set("motohid/state", "idle\n");
    for (const char* state : {"defrag_completed\n", "idle\n", "garbage\n"}) {
        tree.Set("hid/state", state);
        for (const HealthItem& item : tree.Report().storage.items) {
            EXPECT_NE("hid/progress_ratio", item.name) << state;
            EXPECT_NE("exception_event_status", item.name);
            EXPECT_NE("wb_flush_status", item.name);
            EXPECT_NE("wb_resize_status", item.name);
            EXPECT_THAT(item.value.value_or(""), Not(HasSubstr("RED")));
        }
    }
    for (const char* name : {"ufshid", "motohid"}) {
        EXPECT_EQ("present", ItemOf(tree.Report(), name).value);
        EXPECT_THAT(ItemOf(tree.Report(), name).explanation, HasSubstr("not used"));
    }
}

TEST(UfsSysfsTest, WithoutTheChipsFlagTheDriversNoteIsTaken) {
    UfsTree tree;
    tree.SetNew();
    tree.Refuse("flags/wb_enable");
    EXPECT_EQ("on", ItemOf(tree.Report(), "wb_on").explanation);
    tree.Set("wb_on", "0\n");
    EXPECT_EQ("off", ItemOf(tree.Report(), "wb_on").explanation);
}

TEST(UfsSysfsTest, ABufferWithoutGeometryHasNoSizeInBytes) {
    UfsTree tree;
    tree.SetNew();
    tree.Remove(std::string(kHost) + "geometry_descriptor");
    EXPECT_EQ("0x00000800", ItemOf(tree.Report(), "wb_cur_buf").value);
    EXPECT_EQ("", ItemOf(tree.Report(), "wb_cur_buf").explanation);
}

TEST(UfsSysfsTest, TemperaturesOfTheDriverOfUfsAlone) {
    UfsTree tree;
    tree.SetNew();
    tree.Set("hwmon/hwmon2/name", "nvme\n");
    tree.Set("hwmon/hwmon2/temp1_input", "99000\n");
    EXPECT_EQ("41000", ItemOf(tree.Report(), "temp1_input").value);
    tree.Remove(std::string(kHost) + "hwmon/hwmon3");
    for (const HealthItem& item : tree.Report().storage.items) EXPECT_NE("temp1_input", item.name);
}

// Kernels from 695df7ea6099 on refuse with ENODATA; earlier ones print the number.
TEST(UfsSysfsTest, FragmentationIsNotKnownBeforeAnAnalysis) {
    UfsTree tree;
    tree.SetNew();
    tree.Set("hid/state", "idle\n");
    tree.Set("hid/fragmented_size", "4294967295\n");
    EXPECT_EQ(std::nullopt, ItemOf(tree.Report(), "hid/fragmented_size").value);
    EXPECT_EQ("", ItemOf(tree.Report(), "hid/fragmented_size").problem);
    tree.Refuse("hid/fragmented_size");
    EXPECT_EQ(std::nullopt, ItemOf(tree.Report(), "hid/fragmented_size").value);
    EXPECT_EQ("", ItemOf(tree.Report(), "hid/fragmented_size").problem);
}

// If a chip refuses a HID query with a response code, the kernel's show function returns a positive
// number, and sysfs returns as many bytes of an empty page.
TEST(UfsSysfsTest, AnEmptyPageIsAProblem) {
    UfsTree tree;
    tree.SetNew();
    tree.Set("hid/defrag_size", std::string_view("\0\0\0\0", 4));
    EXPECT_THAT(ItemOf(tree.Report(), "hid/defrag_size").problem, HasSubstr("is not text"));
}

// Each new attribute is absent, refused or invalid in turn; the others stay unchanged.
class UfsNewAttributeTest : public testing::TestWithParam<const char*> {
  protected:
    static std::string NameOf(const std::string& attribute) {
        if (attribute.starts_with("hid/")) return attribute;
        return attribute.substr(attribute.rfind('/') + 1);
    }
    static int Problems(const HealthReport& report, const std::string& but) {
        int problems = 0;
        for (const HealthItem& item : report.storage.items) {
            if (item.name != but && !item.problem.empty()) ++problems;
        }
        return problems;
    }
};

TEST_P(UfsNewAttributeTest, StandsForItself) {
    const std::string name = NameOf(GetParam());
    UfsTree tree;
    tree.SetNew();
    const size_t all = tree.Report().storage.items.size();
    tree.Remove(std::string(kHost) + GetParam());
    EXPECT_GE(all, tree.Report().storage.items.size());
    EXPECT_EQ(0, Problems(tree.Report(), ""));
    for (const HealthItem& item : tree.Report().storage.items) EXPECT_NE(name, item.name);

    tree.Refuse(GetParam());
    EXPECT_EQ(std::nullopt, ItemOf(tree.Report(), name).value);
    EXPECT_EQ(0, Problems(tree.Report(), ""));

    tree.Fail(GetParam());
    EXPECT_EQ(std::nullopt, ItemOf(tree.Report(), name).value);
    EXPECT_THAT(ItemOf(tree.Report(), name).problem, HasSubstr(strerror(EIO)));
    EXPECT_EQ(0, Problems(tree.Report(), name));

    tree.Remove(std::string(kHost) + GetParam());
    for (const std::string& garbage :
         {std::string(), std::string("\x01\0\xff", 3), std::string("hello\n"),
          std::string("-80000\n"), std::string(1 << 20, '1')}) {
        tree.Set(GetParam(), garbage);
        const HealthReport report = tree.Report();
        EXPECT_EQ(std::nullopt, ItemOf(report, name).value) << garbage.substr(0, 10);
        EXPECT_THAT(ItemOf(report, name).problem, HasSubstr("/" + name));
        EXPECT_EQ(0, Problems(report, name));
        EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 20-30 % used"));
    }
}

INSTANTIATE_TEST_SUITE_P(
        All, UfsNewAttributeTest,
        testing::Values("critical_health", "device_lvl_exception_count", "device_lvl_exception_id",
                        "attributes/bkops_status", "flags/bkops_enable",
                        "host0/target0:0:0/0:0:0:0/unit_descriptor/wb_buf_alloc_units",
                        "geometry_descriptor/allocation_unit_size",
                        "geometry_descriptor/segment_size", "device_descriptor/wb_type",
                        "device_descriptor/wb_shared_alloc_units", "attributes/wb_cur_buf",
                        "flags/wb_enable", "flags/wb_flush_en", "flags/wb_flush_during_h8",
                        "attributes/wb_resize_hint", "hwmon/hwmon3/temp1_input",
                        "hwmon/hwmon3/temp1_crit", "hwmon/hwmon3/temp1_lcrit", "hid/state",
                        "hid/fragmented_size", "hid/defrag_size", "hid/progress_ratio"),
        [](const auto& row) {
            std::string name = row.param;
            std::replace_if(
                    name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; },
                    '_');
            return name;
        });

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

}  // namespace
}  // namespace storekeeper
