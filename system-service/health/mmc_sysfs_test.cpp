// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/mmc_sysfs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "health/card_health.h"
#include "health/storage_health.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const HealthItem& ItemOf(const StorageHealth& health, const std::string& name) {
    for (const HealthItem& item : health.items) {
        if (item.name == name) return item;
    }
    ADD_FAILURE() << "no item " << name;
    static const HealthItem kNone;
    return kNone;
}

HealthReport ReportOf(const std::string& device) {
    return MakeHealthReport(ReadStorageHealth(FileReader(TestDataDirectory() + "/" + device),
                                              std::nullopt, nullptr),
                            std::nullopt);
}

TEST(MmcSysfsTest, ReadsMainline) {
    HealthReport report = ReportOf("linux-6.12-emmc51");
    EXPECT_EQ("mmcblk0", report.storage.device);
    EXPECT_EQ("TESTM1", ItemOf(report.storage, "name").value);
    EXPECT_EQ("Samsung", ItemOf(report.storage, "manfid").explanation);
    EXPECT_EQ("eMMC 5.1", ItemOf(report.storage, "rev").explanation);
    EXPECT_EQ("0x0000000000000007", ItemOf(report.storage, "fwrev").value);
    EXPECT_EQ(61071360U, report.storage.sectors);
    EXPECT_EQ("Storage life: 10-20 % used (80-90 % left), pre-EOL normal", report.verdict.line);
}

TEST(MmcSysfsTest, CommandQueuing) {
    Tree tree;
    tree.CopyFrom(TestDataDirectory() + "/linux-6.12-emmc51");
    const auto item = [&](const std::string& content) {
        tree.Write("/sys/block/mmcblk0/device/cmdq_en", content);
        return ItemOf(ReadStorageHealth(tree.files(), std::nullopt, nullptr), "cmdq_en");
    };
    EXPECT_EQ("command queuing is off", item("0\n").explanation);
    EXPECT_EQ("command queuing is on", item("1\n").explanation);
    EXPECT_TRUE(item("1\n").detail);
    EXPECT_THAT(item("2\n").problem, HasSubstr("cmdq_en: '2' is not a number from 0 to 1"));
}

TEST(MmcSysfsTest, TheSerialNumberIsHidden) {
    HealthReport report = ReportOf("linux-6.12-emmc51");
    EXPECT_EQ("150100544553544d3107********3b**", ItemOf(report.storage, "cid").value);
    for (const HealthItem& item : report.storage.items) {
        EXPECT_THAT(item.value.value_or(""), Not(HasSubstr("deadbeef"))) << item.name;
    }
}

TEST(MmcSysfsTest, ReadsTheFirstSpellingAndAnUnknownRevision) {
    HealthReport report = ReportOf("linux-4.11-emmc50");
    EXPECT_EQ(std::nullopt, ItemOf(report.storage, "rev").value);
    EXPECT_EQ("", ItemOf(report.storage, "rev").problem);
    EXPECT_EQ(2, report.storage.wear.pre_eol_info);
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 100 % used (past its rated life)"));
}

TEST(MmcSysfsTest, ReadsAVendorsAttributes) {
    HealthReport report = ReportOf("vendor-3.18-emmc50");
    EXPECT_EQ(4, report.storage.wear.life_time_a);
    EXPECT_EQ(3, report.storage.wear.life_time_b);
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 30-40 % used (60-70 % left)"));
}

TEST(MmcSysfsTest, ReadsTheLifeTimeInItsSpellings) {
    struct Row {
        std::map<std::string, std::string> attributes;
        std::optional<uint8_t> a;
        std::optional<uint8_t> b;
        Verdict::Level level;
    };
    using Level = Verdict::Level;
    for (const Row& row :
         {Row{{{"life_time_A", "0x0b"}, {"life_time_B", "0x03"}}, 11, 3, Level::kUrgent},
          Row{{{"life_time_B", "0x09"}}, {}, 9, Level::kWarning},
          Row{{{"life_time_a", "0x04"}, {"life_time_b", "0x03"}}, 4, 3, Level::kGood},
          Row{{{"life_time_est_typ_a", "4"}}, 4, {}, Level::kGood},
          Row{{{"life_time", "0x03"}}, 3, {}, Level::kGood},
          Row{{{"life_time", "0X0B 0X01"}}, 11, 1, Level::kUrgent},
          Row{{{"life_time", "0x0a,0x0b"}}, 10, 11, Level::kUrgent},
          Row{{{"life_time", "01\t0b"}}, 1, 11, Level::kUrgent},
          Row{{{"life_time_est_typ_a", "10"}, {"life_time_est_typ_b", "11"}},
              10,
              11,
              Level::kUrgent},
          // Motorola's kernels of 3.4 and 3.10 print "%d" (drivers/mmc/core/mmc.c of
          // AICP/kernel_motorola_msm8916 and NStep/android_kernel_motorola_msm8226).
          Row{{{"device_life_time_est_typ_a", "2"}, {"device_life_time_est_typ_b", "10"}},
              2,
              10,
              Level::kWarning},
          Row{{{"life_time", "0x00 0x0b"}}, 0, 11, Level::kUrgent},
          Row{{{"life_time", "0x0c 0xff"}}, 12, 255, Level::kUnknown},
          Row{{{"life_time", "0x00 0x00"}}, 0, 0, Level::kUnknown},
          Row{{{"life_time", "0x0b (past)"}}, {}, {}, Level::kUnknown},
          Row{{{"life_time", "0x03 0x0b"}, {"life_time_A", "0x01"}}, 3, 11, Level::kUrgent},
          Row{{}, {}, {}, Level::kUnknown}}) {
        Tree tree;
        const std::string device = "/sys/block/mmcblk0/device/";
        tree.Write(device + "type", "MMC\n");
        tree.Write(device + "pre_eol_info", "0x01\n");
        for (const auto& [name, value] : row.attributes) tree.Write(device + name, value + "\n");
        const HealthReport report =
                MakeHealthReport(ReadStorageHealth(tree.files(), std::nullopt, nullptr),
                                 std::nullopt);
        EXPECT_EQ(row.a, report.wear.life_time_a);
        EXPECT_EQ(row.b, report.wear.life_time_b);
        EXPECT_EQ(row.level, report.verdict.level) << report.verdict.line;
    }
}

// Kernels before 2014 show the year by older standards (JESD84-B451, MDT).
TEST(MmcSysfsTest, TheYearOfManufacture) {
    Tree tree;
    const std::string device = "/sys/block/mmcblk0/device/";
    tree.Write(device + "type", "MMC\n");
    struct Row {
        const char* rev;
        const char* date;
        const char* shown;
    };
    for (const Row& row : {Row{"6", "05/1997", "05/2013"}, Row{"0x8", "12/2009", "12/2025"},
                           Row{"0x8", "01/2010", "01/2010"}, Row{"0x8", "10/2017", "10/2017"},
                           Row{"4", "05/1999", "05/1999"}, Row{"garbage", "05/1997", "05/1997"},
                           Row{"5", "12/2009", "12/2025"}, Row{"8", "00/0000", "00/0000"},
                           Row{"6", "sometime", "sometime"}, Row{"6", "05/19xx", "05/19xx"},
                           Row{"6", "05/97", "05/97"}}) {
        tree.Write(device + "rev", std::string(row.rev) + "\n");
        tree.Write(device + "date", std::string(row.date) + "\n");
        const StorageHealth health = ReadMmcHealth(tree.files(), "mmcblk0");
        EXPECT_EQ(row.shown, ItemOf(health, "date").value) << row.date;
        EXPECT_EQ(std::string(row.shown) != row.date,
                  ItemOf(health, "date").explanation.find(row.date) != std::string::npos);
    }
    // Kernels without `rev`: drivers/mmc/core/mmc.c of AICP/kernel_oppo_msm8974 (3.4).
    tree.Remove(device + "rev");
    for (const auto& [date, shown] :
         {std::pair("05/1998", "05/2014"), std::pair("05/2012", "05/2012")}) {
        tree.Write(device + "date", std::string(date) + "\n");
        EXPECT_EQ(shown, ItemOf(ReadMmcHealth(tree.files(), "mmcblk0"), "date").value);
    }
}

// The tables of the Linux commits 3e487a634bc0 "mmc: core: Adjust MDT beyond 2025" and 263ff314cc56
// "mmc: core: Add quirk for incorrect manufacturing date". Older kernels lack them.
TEST(MmcSysfsTest, TheYearOfManufactureFrom2026) {
    Tree tree;
    const std::string device = "/sys/block/mmcblk0/device/";
    struct Row {
        const char* manfid;
        const char* rev;
        const char* date;
        const char* shown;
    };
    for (const Row& row :
         {Row{"0x000045", "0x8", "03/2010", "03/2026"},
          Row{"0x000045", "0x7", "12/2012", "12/2028"},
          Row{"0x000045", "0x8", "01/2013", "01/2013"},
          Row{"0x000045", "0x8", "12/2009", "12/2025"},
          Row{"0x000045", "0x8", "03/2026", "03/2026"},
          Row{"0x000015", "0x8", "03/2010", "03/2010"}, Row{"garbage", "0x8", "03/2010", "03/2010"},
          // eMMC 4.41 and 4.5 are of 2010 and 2011, so the year may be true.
          Row{"0x000045", "0x6", "03/2012", "03/2012"},
          Row{"0x000045", "0x5", "03/2010", "03/2010"},
          // eMMC 5.1B of any maker: kernels show the oldest year, the next one, or the right one.
          Row{"0x000015", "0x9", "05/1997", "05/2029"},
          Row{"0x000015", "0x9", "05/2013", "05/2029"},
          Row{"0x000015", "0x9", "05/2029", "05/2029"},
          Row{"0x000015", "0x9", "05/2010", "05/2026"},
          Row{"0x000045", "0x9", "05/2010", "05/2026"},
          Row{"0x000015", "0x9", "12/2022", "12/2038"},
          Row{"0x000015", "0x9", "01/2023", "01/2023"},
          Row{"0x000015", "0x9", "01/2007", "01/2023"}}) {
        tree.Write(device + "manfid", std::string(row.manfid) + "\n");
        tree.Write(device + "rev", std::string(row.rev) + "\n");
        tree.Write(device + "date", std::string(row.date) + "\n");
        EXPECT_EQ(row.shown, ItemOf(ReadMmcHealth(tree.files(), "mmcblk0"), "date").value)
                << row.manfid << " " << row.rev << " " << row.date;
    }
}

TEST(MmcSysfsTest, AnOldCardReportsNothingAndThatIsNoError) {
    HealthReport report = ReportOf("linux-3.4-emmc45");
    for (const HealthItem& item : report.storage.items) EXPECT_EQ("", item.problem) << item.name;
    EXPECT_EQ("Storage life: not reported, pre-EOL not reported", report.verdict.line);
}

TEST(MmcSysfsTest, WithoutAnEmmcSaysWhy) {
    Tree tree;
    tree.Write("/sys/block/sda/size", "1\n");
    HealthReport none =
            MakeHealthReport(ReadStorageHealth(tree.files(), std::nullopt, nullptr), std::nullopt);
    EXPECT_EQ("Storage life: not known (neither eMMC nor UFS in /sys/block)", none.verdict.line);
    tree.Write("/sys/block/mmcblk0/device/type", "SD\n");
    EXPECT_THAT(ReadStorageHealth(tree.files(), std::nullopt, nullptr).problem,
                HasSubstr("mmcblk0 is of type SD"));
    EXPECT_THAT(ReadStorageHealth(Tree().files(), std::nullopt, nullptr).problem,
                HasSubstr("/sys/block"));
}

TEST(MmcSysfsTest, OnlyAWholeEmmcIsAccepted) {
    Tree tree;
    tree.Write("/sys/block/mmcblk1/device/type", "SD\n");
    tree.MakeDirectory("/sys/block/mmcblk2");
    struct Row {
        const char* disk;
        const char* error;
    };
    for (const Row& row :
         {Row{"sda", "sda is no memory card"}, Row{"mmcblk", "mmcblk is no memory card"},
          Row{"mmcblk0boot0", "no memory card"}, Row{"mmcblk1", "of type SD, not MMC"},
          Row{"mmcblk2", "/sys/block/mmcblk2/device/type"}}) {
        const auto mmc = CheckMmcDisk(tree.files(), row.disk);
        ASSERT_FALSE(mmc.ok()) << row.disk;
        EXPECT_THAT(mmc.error().message(), HasSubstr(row.error));
    }
    // A disk without a type causes no problem text; of two eMMCs the first is taken.
    tree.Write("/sys/block/mmcblk3/device/type", "MMC\n");
    tree.Write("/sys/block/mmcblk4/device/type", "MMC\n");
    tree.Remove("/sys/block/mmcblk1");
    EXPECT_EQ("mmcblk3", ReadStorageHealth(tree.files(), std::nullopt, nullptr).device);
    tree.Remove("/sys/block/mmcblk3");
    tree.Remove("/sys/block/mmcblk4");
    EXPECT_EQ("neither eMMC nor UFS in /sys/block",
              ReadStorageHealth(tree.files(), std::nullopt, nullptr).problem);
}

struct Garbage {
    const char* name;
    std::string content;
};

class MmcSysfsGarbageTest : public testing::TestWithParam<std::tuple<const char*, Garbage>> {};

// An invalid file makes its own item an error and leaves all others unchanged.
TEST_P(MmcSysfsGarbageTest, SpoilsOneItemOnly) {
    const auto& [attribute, garbage] = GetParam();
    const std::map<std::string, std::string> good = {{"name", "TESTM1\n"},
                                                     {"manfid", "0x000015\n"},
                                                     {"oemid", "0x0100\n"},
                                                     {"date", "03/2024\n"},
                                                     {"prv", "0x7\n"},
                                                     {"hwrev", "0x0\n"},
                                                     {"fwrev", "0x7\n"},
                                                     {"rev", "0x8\n"},
                                                     {"cid", "150100544553544d3107deadbeef3b9f\n"},
                                                     {"life_time", "0x02 0x01\n"},
                                                     {"pre_eol_info", "0x01\n"}};
    const std::string device = "/sys/block/mmcblk0/device/";
    Tree tree;
    tree.Write(device + "type", "MMC\n");
    for (const auto& [name, content] : good) tree.Write(device + name, content);
    tree.Write(device + attribute, garbage.content);
    StorageHealth health = ReadMmcHealth(tree.files(), "mmcblk0");
    ASSERT_EQ(good.size(), health.items.size());
    for (const HealthItem& item : health.items) {
        bool spoiled = item.name == attribute;
        EXPECT_EQ(spoiled, !item.value.has_value()) << item.name;
        EXPECT_EQ(spoiled, !item.problem.empty()) << item.name;
        if (spoiled) {
            EXPECT_THAT(item.problem, HasSubstr(device + attribute));
            EXPECT_LT(item.problem.size(), 5000U);
        }
    }
    HealthReport report = MakeHealthReport(std::move(health), std::nullopt);
    if (std::string("life_time") == attribute) {
        EXPECT_THAT(report.verdict.line, StartsWith("Storage life: not known ("));
    } else {
        EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 10-20 % used"));
    }
}

TEST(MmcSysfsTest, TheFirstUnreadableLifeTimeIsTheReason) {
    Tree tree;
    const std::string device = "/sys/block/mmcblk0/device/";
    for (const char* name : {"life_time_est_typ_a", "life_time_est_typ_b"}) {
        tree.Write(device + name, "much\n");
    }
    const HealthReport report =
            MakeHealthReport(ReadMmcHealth(tree.files(), "mmcblk0"), std::nullopt);
    EXPECT_THAT(report.verdict.line, HasSubstr("life_time_est_typ_a: 'much' is not"));
}

INSTANTIATE_TEST_SUITE_P(
        Unreadable, MmcSysfsGarbageTest,
        testing::Combine(testing::Values("name", "manfid", "oemid", "date", "prv", "hwrev", "fwrev",
                                         "rev", "cid", "life_time", "pre_eol_info"),
                         testing::Values(Garbage{"Empty", ""},
                                         Garbage{"Binary", std::string("\x01\0\xff", 3)},
                                         Garbage{"OneMegabyte", std::string(1 << 20, '1')})),
        [](const auto& row) {
            return std::string(std::get<0>(row.param)) + std::get<1>(row.param).name;
        });

INSTANTIATE_TEST_SUITE_P(
        NotANumber, MmcSysfsGarbageTest,
        testing::Combine(testing::Values("manfid", "oemid", "prv", "hwrev", "fwrev", "rev", "cid",
                                         "life_time", "pre_eol_info"),
                         testing::Values(Garbage{"Text", "hello\n"}, Garbage{"Prefix", "0x\n"},
                                         Garbage{"Negative", "-1\n"}, Garbage{"Doubled", "0x0x1\n"},
                                         Garbage{"TooBig", "0x1ffffffffffffffff\n"})),
        [](const auto& row) {
            return std::string(std::get<0>(row.param)) + std::get<1>(row.param).name;
        });

INSTANTIATE_TEST_SUITE_P(
        WrongShape, MmcSysfsGarbageTest,
        testing::Combine(testing::Values("life_time"),
                         testing::Values(Garbage{"ThreeValues", "0x01 0x02 0x03\n"},
                                         Garbage{"Truncated", "0x01 0x\n"},
                                         Garbage{"TooBigForAByte", "0x01 0x100\n"},
                                         Garbage{"TheFirstTooBig", "0x100 0x01\n"})),
        [](const auto& row) {
            return std::string(std::get<0>(row.param)) + std::get<1>(row.param).name;
        });

TEST(HealthReportTest, TheHandedInRegisterReportsMoreThanSysfs) {
    StorageHealth mmc =
            ReadMmcHealth(FileReader(TestDataDirectory() + "/linux-3.4-emmc45"), "mmcblk0");
    std::string hex;
    ASSERT_TRUE(
            android::base::ReadFileToString(TestDataDirectory() + "/linux-6.12-emmc51/ext_csd.hex",
                                            &hex));
    HealthReport report = MakeHealthReport(mmc, *ExtCsd::FromHex(hex));
    EXPECT_EQ("ext_csd", report.wear_source);
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 10-20 % used"));
}

}  // namespace
}  // namespace storekeeper
