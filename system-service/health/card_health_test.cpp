// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/card_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "health/forecast.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

// A register of the first standard, which need not name a capacity, and of a card of today.
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

TEST(CardHealthTest, AForecastNeedsWear) {
    const Forecast forecast{.state = Forecast::State::kRange,
                            .made = WallTime{0},
                            .earliest = WallTime{0},
                            .latest = WallTime{86400}};
    HealthReport report;
    report.verdict.line = "Storage life: not known";
    AddForecast(forecast, &report);
    EXPECT_EQ("Storage life: not known", report.verdict.line);
    report.wear.life_time_a = 5;
    AddForecast(forecast, &report);
    EXPECT_EQ(Verdict::Level::kUrgent, report.verdict.level);
    EXPECT_THAT(report.verdict.line, HasSubstr("used up between 1970-01 and 1970-01"));
}

}  // namespace
}  // namespace storekeeper
