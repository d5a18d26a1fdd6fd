// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "StorekeeperLife.h"

#include <gtest/gtest.h>

#include <string>

#include "fake_properties.h"
#include "testing/tree.h"

namespace {

class StorekeeperLifeTest : public testing::Test {
  protected:
    StorekeeperLifeTest() { properties_.Put("ro.storekeeper.enabled", "true"); }

    void LifeTime(const std::string& text, const std::string& disk = "mmcblk0") {
        tree_.Write("/sys/block/" + disk + "/device/life_time", text);
    }
    void Status(const std::string& used, const std::string& remaining) {
        properties_.Put("storekeeper.status.life_used_pct", used);
        properties_.Put("storekeeper.status.life_remaining_pct", remaining);
    }
    int Used() const { return storekeeper_life_used_in(tree_.root().c_str()); }
    int Remaining() const { return storekeeper_life_remaining_in(tree_.root().c_str()); }

    storekeeper::Tree tree_;
    FakeProperties properties_;
};

TEST_F(StorekeeperLifeTest, IsThatOfTheWorseEstimate) {
    const struct {
        std::string text;
        int used;
        int remaining;
    } cases[] = {
            {"0x01 0x01\n", 10, 100}, {"0x03 0x07\n", 70, 40}, {"0x07 0x03\n", 70, 40},
            {"0x0a 0x01\n", 100, 10}, {"0x0b 0x0b\n", 110, 0},  // past its rated life
            {"0x00 0x02\n", 20, 90},                            // A is not defined
            {"0x02 0xff\n", 20, 90},                            // B is reserved
            {"0x02 0x0c", 20, 90},
    };
    for (const auto& c : cases) {
        LifeTime(c.text);
        EXPECT_EQ(c.used, Used()) << c.text;
        EXPECT_EQ(c.remaining, Remaining()) << c.text;
    }
}

TEST_F(StorekeeperLifeTest, IsUnknownWhereNothingIsReported) {
    EXPECT_EQ(-1, Used());
    EXPECT_EQ(-1, Remaining());
    for (const char* text : {"0x00 0x00\n", "0x0c 0xff\n", "", "\n", "0x03\n", "0x03 x\n",
                             "0x03 0x04 0x05\n", "-1 -2\n", "life\n"}) {
        LifeTime(text);
        EXPECT_EQ(-1, Used()) << text;
        EXPECT_EQ(-1, Remaining()) << text;
    }
}

TEST_F(StorekeeperLifeTest, IsStorekeeperdsWhereTheKernelReportsNone) {
    Status("70", "40");
    EXPECT_EQ(70, Used());
    EXPECT_EQ(40, Remaining());
    LifeTime("0x00 0x00\n");
    EXPECT_EQ(40, Remaining());
    LifeTime("0x01 0x01\n");
    EXPECT_EQ(100, Remaining());
}

TEST_F(StorekeeperLifeTest, TakesNoStatusThatIsNoPercentage) {
    for (const char* text : {"", "-1", "101", "40 ", " 40", "4x", "99999999999999999999"}) {
        Status(text, text);
        EXPECT_EQ(-1, Used()) << text;
        EXPECT_EQ(-1, Remaining()) << text;
    }
    Status("100", "0");
    EXPECT_EQ(100, Used());
    EXPECT_EQ(0, Remaining());
}

TEST_F(StorekeeperLifeTest, DoesNotGuessWhichOfTwoChipsIsInternal) {
    LifeTime("0x03 0x07\n", "mmcblk1");  // the card in mmcblk0's slot has no life_time
    EXPECT_EQ(40, Remaining());
    LifeTime("0x01 0x01\n", "mmcblk0");
    EXPECT_EQ(-1, Remaining());
    Status("20", "90");
    EXPECT_EQ(90, Remaining());
}

TEST_F(StorekeeperLifeTest, IsSilentWhereStorekeeperIsOff) {
    LifeTime("0x01 0x01\n");
    Status("70", "40");
    for (const char* value : {"", "false", "1"}) {
        properties_.Put("ro.storekeeper.enabled", value);
        EXPECT_EQ(-1, Used());
        EXPECT_EQ(-1, Remaining());
    }
}

}  // namespace
