// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/storage_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/device_hal.h"
#include "health/card_health.h"
#include "health/ext_csd.h"
#include "testing/fake_hal.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using testing::HasSubstr;
using testing::StartsWith;

// The report of a card whose sysfs shows 10-20 %, with this HAL answer.
HealthReport ReportWith(Result<std::vector<HalStorageInfo>> answer) {
    FakeHal hal;
    hal.storage = std::move(answer);
    return MakeHealthReport(ReadStorageHealth(FileReader(TestDataDirectory() +
                                                         "/linux-6.12-emmc51"),
                                              std::nullopt, &hal),
                            std::nullopt);
}

std::vector<HalStorageInfo> Storages(int32_t eol, int32_t a, int32_t b) {
    return {{.eol = eol, .lifetime_a = a, .lifetime_b = b, .version = "emmc 5.1"}};
}

TEST(StorageSourcesTest, TheHalComesFirst) {
    HealthReport report = ReportWith(Storages(1, 4, 5));
    EXPECT_EQ("health_hal", report.wear_source);
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 40-50 % used"));
    ASSERT_EQ(2U, report.sources.size());
    EXPECT_EQ("sysfs", report.sources[1].name);
    const HealthItem& version = report.storage.items.back();
    EXPECT_EQ("StorageInfo.version", version.name);
    EXPECT_EQ("emmc 5.1", version.value);
    EXPECT_EQ("health_hal", version.source);
}

TEST(StorageSourcesTest, AHalWithoutALifeTimeHidesNoOtherSource) {
    HealthReport report = ReportWith(Storages(1, 0, 0));
    EXPECT_EQ("sysfs", report.wear_source);
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 10-20 % used"));
}

struct Unusable {
    const char* name;
    Result<std::vector<HalStorageInfo>> answer;
    const char* problem;
};

class UnusableHalTest : public testing::TestWithParam<Unusable> {};

TEST_P(UnusableHalTest, TheKernelsWordIsTaken) {
    HealthReport report = ReportWith(GetParam().answer);
    EXPECT_EQ("sysfs", report.wear_source);
    EXPECT_THAT(report.verdict.line, StartsWith("Storage life: 10-20 % used"));
    EXPECT_EQ("health_hal", report.sources[0].name);
    EXPECT_THAT(report.sources[0].problem, HasSubstr(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
        All, UnusableHalTest,
        testing::Values(Unusable{"Fails", Error() << "not supported", "not supported"},
                        Unusable{"Empty", std::vector<HalStorageInfo>(),
                                 "the health HAL returned an invalid value: no storage"},
                        Unusable{"Many", std::vector<HalStorageInfo>(1000),
                                 "invalid value: 1000 storages"},
                        Unusable{"NegativeEol", Storages(-1, 1, 1), "invalid value: eol -1"},
                        Unusable{"BigEol", Storages(4, 1, 1), "invalid value: eol 4"},
                        Unusable{"NegativeLife", Storages(1, -5, 1), "invalid value: lifetime -5"},
                        Unusable{"BigLife", Storages(1, 1, 12), "invalid value: lifetime 12"},
                        // Zeros are allowed and mean "no value".
                        Unusable{"Undefined", Storages(0, 0, 0), ""}),
        [](const auto& row) { return row.param.name; });

TEST(StorageSourcesTest, WithoutAnythingSaysWhy) {
    FakeHal hal;
    hal.storage = Error() << "this device has no health HAL";
    Tree tree;
    tree.MakeDirectory("/sys/block");
    HealthReport report =
            MakeHealthReport(ReadStorageHealth(tree.files(), std::nullopt, &hal), std::nullopt);
    EXPECT_EQ("Storage life: not known (neither eMMC nor UFS in /sys/block)", report.verdict.line);
    EXPECT_EQ("this device has no health HAL", report.sources[0].problem);
}

TEST(HalAnswerTest, TextThatIsNoneIsLeftOut) {
    EXPECT_EQ("", CheckedStorage({{.version = "5\x01"}})->version);
    EXPECT_EQ("", CheckedStorage({{.version = std::string(1000, 'x')}})->version);
    EXPECT_EQ("5.1", CheckedStorage({{.version = "5.1"}})->version);
}

TEST(HalAnswerTest, TheFirstDiskCountsAndNoCountIsNegative) {
    const auto disk = CheckedDisk({{.reads = 1, .write_sectors = 3, .write_ticks = 7}, {}});
    ASSERT_TRUE(disk.ok()) << disk.error();
    EXPECT_EQ(1U, disk->reads);
    EXPECT_EQ(1536U, disk->written_bytes);
    EXPECT_EQ(std::chrono::milliseconds(7), disk->writing);
    EXPECT_EQ(std::nullopt, disk->flushes);
    EXPECT_THAT(CheckedDisk({{.io_ticks = -3}}).error().message(), HasSubstr("a count of -3"));
    EXPECT_FALSE(CheckedDisk({}).ok());
    EXPECT_FALSE(CheckedDisk(std::vector<HalDiskStats>(1000)).ok());
}

TEST(HalAnswerTest, ABatteryIsInRange) {
    const HalBattery good = {.present = true, .level = 55, .temperature = 250};
    EXPECT_TRUE(CheckedBattery(good).ok());
    EXPECT_TRUE(CheckedBattery({.present = false, .level = -1}).ok());
    for (const int32_t level : {-1, 101}) {
        EXPECT_THAT(CheckedBattery({.present = true, .level = level}).error().message(),
                    HasSubstr("the health HAL returned an invalid value: a battery level of"));
    }
    // The level counts even if the temperature is impossible; CheckBatteryHeat() checks that.
    EXPECT_TRUE(CheckedBattery({.present = true, .temperature = 25000}).ok());
}

}  // namespace
}  // namespace storekeeper
