// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/card_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "health/forecast.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

// Registers of the first standard, which needs no capacity, and of a current card.
std::vector<uint8_t> Register(uint8_t rev, uint8_t sectors) {
    std::vector<uint8_t> bytes(512);
    bytes[192] = rev;
    bytes[212] = sectors;
    bytes[228] = 1;
    return bytes;
}

TEST(CardHealthTest, ARegisterIsOfTheCardThatHasItsSectors) {
    Tree tree;
    CardHealth unknown(tree.files(), nullptr);
    EXPECT_TRUE(unknown.SetExtCsd(Register(8, 7)).ok());
    tree.Write("/sys/block/mmcblk0/device/type", "MMC\n");
    tree.Write("/sys/block/mmcblk0/size", "5\n");
    CardHealth card(tree.files(), nullptr);
    EXPECT_TRUE(card.SetExtCsd(Register(8, 5)).ok());
    EXPECT_TRUE(card.SetExtCsd(Register(1, 0)).ok());
    const auto other = card.SetExtCsd(Register(8, 7));
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().message(), HasSubstr("mmcblk0 has 5 sectors"));
}

TEST(CardHealthTest, TheChipOfDataIsTaken) {
    Tree tree;
    for (const char* disk : {"mmcblk0", "mmcblk1"}) {
        tree.Write(std::string("/sys/block/") + disk + "/device/type", "MMC\n");
    }
    tree.Write("/sys/block/mmcblk1/dev", "179:8\n");
    EXPECT_EQ("mmcblk0", CardHealth(tree.files(), nullptr).Last().storage.device);
    tree.Write("/proc/self/mountinfo", "1 0 179:8 / /data rw - ext4 /dev/block/mmcblk1 rw\n");
    EXPECT_EQ("mmcblk1", CardHealth(tree.files(), nullptr).Last().storage.device);
}

TEST(CardHealthTest, ErrorsOfTheFileSystemAreAWarning) {
    Tree tree;
    const std::string device = "/sys/block/mmcblk0/device/";
    tree.Write(device + "type", "MMC\n");
    tree.Write(device + "life_time", "0x01 0x01\n");
    tree.Write("/sys/dev/block/179:2/uevent", "DEVNAME=mmcblk0p2\n");
    const auto judge = [&](const std::string& type, const std::string& file,
                           const std::string& content) {
        tree.Write("/proc/self/mountinfo", "1 0 179:2 / /data rw - " + type + " /dev/b rw\n");
        tree.Write("/sys/fs/" + type + "/mmcblk0p2/" + file, content);
        return CardHealth(tree.files(), nullptr).Last().verdict;
    };
    using Level = Verdict::Level;
    EXPECT_EQ(Level::kGood, judge("ext4", "errors_count", "0\n").level);
    EXPECT_EQ(Level::kGood, judge("ext4", "errors_count", "garbage\n").level);
    EXPECT_EQ(Level::kGood, judge("ext4", "last_error_time", "0\n").level);
    const Verdict errors = judge("ext4", "errors_count", "3\n");
    EXPECT_EQ(Level::kWarning, errors.level);
    EXPECT_THAT(errors.line, HasSubstr("; ext4 of /data has recorded 3 errors"));
    judge("ext4", "first_error_time", "1700000000\n");
    std::map<std::string, std::string> shown;
    for (const HealthItem& item : CardHealth(tree.files(), nullptr).Last().storage.items) {
        if (item.source == "ext4") shown[item.name] = item.explanation;
    }
    EXPECT_EQ((std::map<std::string, std::string>{{"errors_count", ""},
                                                  {"first_error_time", "2023-11-14 22:13:20 UTC"},
                                                  {"last_error_time", "never"}}),
              shown);
    EXPECT_EQ(Level::kGood, judge("f2fs", "sb_status", "1\n").level);
    const Verdict check = judge("f2fs", "sb_status", "25\n");
    EXPECT_EQ(Level::kWarning, check.level);
    EXPECT_THAT(check.line, HasSubstr("; f2fs of /data needs a check"));
    // A file system problem does not lower an urgent level.
    tree.Write(device + "life_time", "0x0b 0x01\n");
    EXPECT_EQ(Level::kUrgent, judge("f2fs", "sb_status", "4\n").level);
}

TEST(CardHealthTest, AForecastNeedsWear) {
    const Forecast forecast{.state = Forecast::State::kRange,
                            .made = WallTime{0},
                            .earliest = WallTime{0},
                            .latest = WallTime{86400}};
    HealthReport unknown;
    unknown.verdict.line = "Storage life: not known";
    AddForecast(forecast, &unknown);
    EXPECT_EQ("Storage life: not known", unknown.verdict.line);
    for (const WearReading& wear : {WearReading{.life_time_a = 5}, WearReading{.life_time_b = 5}}) {
        HealthReport report{.wear = wear};
        AddForecast(forecast, &report);
        EXPECT_EQ(Verdict::Level::kUrgent, report.verdict.level);
        EXPECT_THAT(report.verdict.line, HasSubstr("used up between 1970-01 and 1970-01"));
    }
}

}  // namespace
}  // namespace storekeeper
