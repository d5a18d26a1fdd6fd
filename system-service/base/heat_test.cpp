// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/heat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kSupply[] = "/sys/class/power_supply/";
constexpr char kThermal[] = "/sys/class/thermal/";

void AddBattery(Tree* tree, const std::string& name, const std::string& temp) {
    tree->Write(kSupply + name + "/type", "Battery\n");
    if (!temp.empty()) tree->Write(kSupply + name + "/temp", temp);
}

void AddZone(Tree* tree, const std::string& zone, const std::string& type, std::string_view temp) {
    tree->Write(kThermal + zone + "/type", type + "\n");
    tree->Write(kThermal + zone + "/temp", temp);
}

TEST(HeatTest, ReadsTheBatteryOfTheDevice) {
    Tree tree;
    AddBattery(&tree, "amouse", "900\n");
    tree.Write(std::string(kSupply) + "amouse/scope", "Device\n");
    AddBattery(&tree, "battery", "-12\n");
    tree.Write(std::string(kSupply) + "ac/type", "Mains\n");
    EXPECT_EQ(-12, **ReadBatteryHeat(tree.files()));
}

TEST(HeatTest, WhatIsNotReportedIsNoError) {
    Tree tree;
    EXPECT_FALSE(ReadBatteryHeat(tree.files()).ok());
    tree.MakeDirectory(kSupply);
    EXPECT_EQ(std::nullopt, *ReadBatteryHeat(tree.files()));
    AddBattery(&tree, "battery", "");
    EXPECT_EQ(std::nullopt, *ReadBatteryHeat(tree.files()));
    EXPECT_EQ(std::nullopt, ReadZones(tree.files()).hottest);
    EXPECT_THAT(ReadZones(tree.files()).problems, IsEmpty());
}

// What a file can be instead of a number.
const std::string_view kGarbage[] =
        {{}, {"\n", 1}, {"warm\n", 5}, {"25.0\n", 5}, {"\0\1\2\xff", 4}, {"9e9\n", 4}, {"-\n", 2}};

TEST(HeatTest, GarbageIsAnErrorThatNamesTheFile) {
    for (std::string_view garbage : kGarbage) {
        Tree tree;
        AddBattery(&tree, "battery", "250\n");
        tree.Write(std::string(kSupply) + "battery/temp", garbage);
        Result<std::optional<int>> heat = ReadBatteryHeat(tree.files());
        ASSERT_FALSE(heat.ok()) << garbage;
        EXPECT_THAT(heat.error().message(), HasSubstr("battery/temp"));
    }
    Tree tree;
    AddBattery(&tree, "battery", std::string(1 << 20, '2') + "\n");
    EXPECT_FALSE(ReadBatteryHeat(tree.files()).ok());
    AddBattery(&tree, "battery", "1501\n");
    EXPECT_FALSE(ReadBatteryHeat(tree.files()).ok());
}

TEST(HeatTest, TheHottestZoneCountsAndABrokenOneHidesNoOther) {
    Tree tree;
    AddZone(&tree, "thermal_zone0", "skin", "31000\n");
    AddZone(&tree, "thermal_zone1", "cpu", "47999\n");
    AddZone(&tree, "thermal_zone3", "cold", "-5000\n");
    tree.Write(std::string(kThermal) + "cooling_device0/type", "fan\n");
    for (std::string_view garbage : kGarbage) {
        AddZone(&tree, "thermal_zone2", "broken", garbage);
        ZoneReading zones = ReadZones(tree.files());
        EXPECT_EQ(479, zones.hottest);
        EXPECT_EQ("cpu", zones.name);
        EXPECT_THAT(zones.problems, ElementsAre(HasSubstr("thermal_zone2/temp")));
    }
    AddZone(&tree, "thermal_zone2", "broken", std::string(1 << 20, '1') + "\n");
    EXPECT_EQ(479, ReadZones(tree.files()).hottest);
}

TEST(HeatTest, ManyBrokenZonesAreAFewProblems) {
    Tree tree;
    for (int i = 0; i < 20; ++i) AddZone(&tree, "thermal_zone" + std::to_string(i), "off", "");
    ZoneReading zones = ReadZones(tree.files());
    EXPECT_EQ(std::nullopt, zones.hottest);
    ASSERT_EQ(4U, zones.problems.size());
    EXPECT_EQ("17 more zones cannot be read", zones.problems.back());
}

}  // namespace
}  // namespace storekeeper
