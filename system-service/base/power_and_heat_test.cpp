// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/power_and_heat.h"

#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Case {
    const char* name;
    std::map<std::string, std::string> files;  // names are relative to /sys/class/power_supply
    bool has_battery;
    int percent;
    bool on_charger;
    const char* error;  // nullptr if the reading succeeds
};

class PowerSupplyTest : public testing::TestWithParam<Case> {};

TEST_P(PowerSupplyTest, Reads) {
    Tree tree;
    tree.MakeDirectory("/sys/class/power_supply");
    for (const auto& [path, content] : GetParam().files) {
        tree.Write("/sys/class/power_supply/" + path, content);
    }
    Result<PowerReading> reading = ReadPowerSupply(tree.files());
    if (GetParam().error != nullptr) {
        ASSERT_FALSE(reading.ok());
        EXPECT_THAT(reading.error().message(), HasSubstr(GetParam().error));
        return;
    }
    ASSERT_TRUE(reading.ok()) << reading.error();
    EXPECT_EQ(GetParam().has_battery, reading->has_battery);
    EXPECT_EQ(GetParam().percent, reading->percent);
    EXPECT_EQ(GetParam().on_charger, reading->on_charger);
}

using Files = std::map<std::string, std::string>;

Files Battery(const std::string& capacity, const std::string& status) {
    return {{"battery/type", "Battery\n"},
            {"battery/capacity", capacity},
            {"battery/status", status}};
}

Files With(Files files, const Files& more) {
    files.insert(more.begin(), more.end());
    return files;
}

Files Charger(const std::string& online) {
    return {{"ac/type", "Mains\n"}, {"ac/online", online}};
}

INSTANTIATE_TEST_SUITE_P(
        All, PowerSupplyTest,
        testing::Values(
                Case{"OffCharger", With(Battery("85\n", "Discharging\n"), Charger("0\n")), true, 85,
                     false, nullptr},
                Case{"OnCharger", With(Battery("31\n", "Charging\n"), Charger("1\n")), true, 31,
                     true, nullptr},
                Case{"ProgrammableCharger", With(Battery("31\n", "Charging\n"), Charger("2\n")),
                     true, 31, true, nullptr},
                Case{"StatusAloneCharging", Battery("50\n", "Full\n"), true, 50, true, nullptr},
                Case{"StatusAloneDischarging", Battery("50\n", "Discharging\n"), true, 50, false,
                     nullptr},
                Case{"FuelGaugeWithoutOnline",
                     With(With(Battery("85\n", "Discharging\n"), Charger("1\n")),
                          {{"bms/type", "BMS\n"}, {"bms/capacity", "84\n"}}),
                     true, 85, true, nullptr},
                Case{"FuelGaugeAloneIsNoCharger",
                     With(Battery("85\n", "Charging\n"), {{"bms/type", "BMS\n"}}), true, 85, true,
                     nullptr},
                Case{"NoBattery", Charger("1\n"), false, 0, true, nullptr},
                Case{"Nothing", {}, false, 0, true, nullptr},
                Case{"AccessoryDoesNotCount",
                     With(Battery("85\n", "Discharging\n"), {{"amouse/type", "Battery\n"},
                                                             {"amouse/scope", "Device\n"},
                                                             {"amouse/capacity", "3\n"}}),
                     true, 85, false, nullptr},
                Case{"CapacityAbove100", Battery("101\n", "Full\n"), true, 0, false, "'101'"},
                Case{"CapacityNegative", Battery("-1\n", "Full\n"), true, 0, false, "'-1'"},
                Case{"CapacityText", Battery("full\n", "Full\n"), true, 0, false, "'full'"},
                Case{"CapacityEmpty", Battery("", "Full\n"), true, 0, false, "is empty"},
                Case{"CapacityHuge", Battery(std::string(1 << 20, '9'), "Full\n"), true, 0, false,
                     "longer than 4096"},
                Case{"ScopeGarbage", With(Battery("85\n", "Full\n"), {{"battery/scope", ""}}),
                     false, 0, false, "battery/scope is empty"},
                Case{"TypeMissing", With(Battery("85\n", "Full\n"), {{"ac/online", "1\n"}}), false,
                     0, false, "cannot open /sys/class/power_supply/ac/type"},
                Case{"StatusMissing",
                     {{"battery/type", "Battery\n"}, {"battery/capacity", "85\n"}},
                     true,
                     85,
                     false,
                     "cannot open /sys/class/power_supply/battery/status"},
                Case{"StatusAloneKeptFromCharging", Battery("50\n", "Not charging\n"), true, 50,
                     true, nullptr},
                Case{"TheFirstOfTwoBatteries",
                     With(Battery("85\n", "Full\n"),
                          {{"second/type", "Battery\n"}, {"second/capacity", "3\n"}}),
                     true, 85, true, nullptr},
                // Xiaomi's kernels of 2023 and 2024 (auth_battery.c) give the battery's
                // authentication chip the battery's type.
                Case{"AuthenticationChip",
                     With(With(Battery("57\n", "Discharging\n"), Charger("0\n")),
                          {{"batt_verify/type", "Battery\n"},
                           {"batt_verify/authentic", "1\n"},
                           {"batt_verify/manufacturer", "main_suppiler\n"}}),
                     true, 57, false, nullptr},
                // Files of a Galaxy, copied from a public report. Its chargers have type Unknown,
                // and the battery's `online` is a cable type (1 none, 3 mains).
                Case{"CableTypesUnplugged",
                     With(With(Battery("63\n", "Discharging\n"), Charger("0\n")),
                          {{"battery/online", "1\n"},
                           {"max77705-charger/type", "Unknown\n"},
                           {"max77705-charger/online", "1\n"},
                           {"max77705-fuelgauge/type", "Unknown\n"},
                           {"otg/type", "OTG\n"},
                           {"otg/online", "0\n"},
                           {"usb/type", "USB\n"},
                           {"usb/online", "0\n"},
                           {"wireless/type", "Wireless\n"},
                           {"wireless/online", "0\n"}}),
                     true, 63, false, nullptr},
                Case{"CableTypesPlugged",
                     With(With(Battery("63\n", "Charging\n"), Charger("1\n")),
                          {{"battery/online", "3\n"},
                           {"max77705-charger/type", "Unknown\n"},
                           {"max77705-charger/online", "3\n"}}),
                     true, 63, true, nullptr},
                Case{"CableTypeOfAUsbSupply",
                     With(Battery("63\n", "Charging\n"),
                          {{"usb/type", "USB_PD_DRP\n"}, {"usb/online", "4\n"}}),
                     true, 63, true, nullptr},
                Case{"Wireless",
                     With(With(Battery("63\n", "Charging\n"), Charger("0\n")),
                          {{"w/type", "Wireless\n"}, {"w/online", "1\n"}}),
                     true, 63, true, nullptr},
                // A Lenovo TB710FU whose coil powers the pen.
                Case{"FeedingAPen",
                     With(With(Battery("63\n", "Discharging\n"),
                               {{"usb/type", "USB\n"}, {"usb/online", "0\n"}}),
                          {{"wls_tx/type", "Wireless\n"}, {"wls_tx/online", "1\n"}}),
                     true, 63, false, nullptr},
                Case{"FeedingAUsbStick",
                     With(With(Battery("63\n", "Discharging\n"), Charger("0\n")),
                          {{"otg/type", "OTG\n"}, {"otg/online", "1\n"}}),
                     true, 63, false, nullptr},
                Case{"FeedingAUsbStickWithoutACharger",
                     With(Battery("63\n", "Discharging\n"),
                          {{"otg/type", "USBOTG\n"}, {"otg/online", "1\n"}}),
                     true, 63, false, nullptr},
                // A port that feeds a stick belongs to it for as long (scope, sysfs-class-power).
                Case{"FeedingAUsbStickThroughTheOnlyPort",
                     With(Battery("63\n", "Discharging\n"), {{"pc_port/type", "USB_PD\n"},
                                                             {"pc_port/scope", "Device\n"},
                                                             {"pc_port/online", "1\n"}}),
                     true, 63, false, nullptr},
                Case{"ChargerWithoutOnline",
                     With(Battery("63\n", "Charging\n"), {{"ac/type", "Mains\n"}}), true, 63, true,
                     nullptr},
                Case{"OnlineNegative", With(Battery("85\n", "Full\n"), Charger("-1\n")), true, 0,
                     false, "'-1'"},
                Case{"OnlineGarbage", With(Battery("85\n", "Full\n"), Charger("yes\n")), true, 0,
                     false, "'yes'"}),
        [](const auto& row) { return row.param.name; });

TEST(PowerSupplyTest, WithoutTheClassNothingIsKnown) {
    Tree tree;
    EXPECT_FALSE(ReadPowerSupply(tree.files()).ok());
}

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

// An authentication chip with the battery's type must not hide that the battery is hot.
TEST(HeatTest, ABatteryWithoutAChargeIsNotTheDevices) {
    Tree tree;
    AddBattery(&tree, "batt_verify", "");
    AddBattery(&tree, "battery", "471\n");
    tree.Write(std::string(kSupply) + "battery/capacity", "57\n");
    EXPECT_EQ(471, *ReadBatteryHeat(tree.files()));
}

TEST(HeatTest, OfBatteriesWithoutAChargeTheFirstCounts) {
    Tree tree;
    AddBattery(&tree, "battery", "312\n");
    AddBattery(&tree, "second", "450\n");
    EXPECT_EQ(312, *ReadBatteryHeat(tree.files()));
}

// Nokia 3.1 (drivers/power/mediatek/battery_common.c of its Linux 3.18); healthd falls back to this
// file as well.
TEST(HeatTest, MediaTeksNameCounts) {
    Tree tree;
    AddBattery(&tree, "battery", "");
    tree.Write(std::string(kSupply) + "battery/batt_temp", "270\n");
    EXPECT_EQ(270, **ReadBatteryHeat(tree.files()));
}

TEST(HeatTest, ABatteryWithoutATemperatureIsNoError) {
    Tree tree;
    EXPECT_FALSE(ReadBatteryHeat(tree.files()).ok());
    tree.MakeDirectory(kSupply);
    EXPECT_EQ(std::nullopt, *ReadBatteryHeat(tree.files()));
    AddBattery(&tree, "battery", "");
    EXPECT_EQ(std::nullopt, *ReadBatteryHeat(tree.files()));
    EXPECT_EQ(std::nullopt, ReadZones(tree.files()).hottest);
    EXPECT_THAT(ReadZones(tree.files()).problems, IsEmpty());
}

// Contents of a temperature file that are no number.
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
}

// A broken sensor is skipped; an unreadable one is an error.
TEST(HeatTest, ABatteryThatNoPhoneHasIsOutOfRange) {
    Tree tree;
    for (const char* plausible : {"-399\n", "-12\n", "0\n", "254\n", "999\n"}) {
        AddBattery(&tree, "battery", plausible);
        EXPECT_TRUE(ReadBatteryHeat(tree.files()).ok()) << plausible;
    }
    for (const char* broken : {"-400\n", "-2740\n", "1000\n", "1250\n", "31000\n", "warm\n"}) {
        AddBattery(&tree, "battery", broken);
        Result<std::optional<int>> heat = ReadBatteryHeat(tree.files());
        ASSERT_FALSE(heat.ok()) << broken;
        EXPECT_EQ(ERANGE, heat.error().code()) << broken;
        EXPECT_THAT(heat.error().message(), HasSubstr("battery/temp is '"));
    }
    AddBattery(&tree, "battery", "\xff\n");
    EXPECT_NE(ERANGE, ReadBatteryHeat(tree.files()).error().code());
}

TEST(HeatTest, AnUnreadableSupplyThatMayBeTheBatteryIsAnError) {
    for (const char* unreadable : {"other/scope", "other/type"}) {
        Tree tree;
        AddBattery(&tree, "other", "");
        tree.Write(std::string(kSupply) + unreadable, "\xff\n");
        Result<std::optional<int>> heat = ReadBatteryHeat(tree.files());
        ASSERT_FALSE(heat.ok()) << unreadable;
        EXPECT_THAT(heat.error().message(), HasSubstr(unreadable));
    }
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

// Old drivers of Allwinner, MediaTek and Qualcomm print whole degrees or tenths.
TEST(HeatTest, TheUnitOfAZoneFollowsFromItsMagnitude) {
    struct Row {
        const char* temp;
        std::optional<int> tenths;
    };
    for (const Row& row : {Row{"92\n", 920},         Row{"31\n", 310},
                           Row{"1\n", 10},           Row{"124\n", 1240},
                           Row{"310\n", 310},        Row{"1249\n", 1249},
                           Row{"31000\n", 310},      Row{"1250\n", 12},
                           Row{"124999\n", 1249},    Row{"-5\n", -50},
                           Row{"-5000\n", -50},      Row{"-39999\n", -399},
                           Row{"0\n", {}},           Row{"125000\n", {}},
                           Row{"-40\n", {}},         Row{"-40000\n", {}},
                           Row{"-274000\n", {}},     Row{"2147483647\n", {}},
                           Row{"-2147483648\n", {}}, Row{"9223372036854775807\n", {}}}) {
        Tree tree;
        AddZone(&tree, "thermal_zone0", "sunxi-therm", row.temp);
        const ZoneReading zones = ReadZones(tree.files());
        EXPECT_EQ(row.tenths, zones.hottest) << row.temp;
        EXPECT_EQ(row.tenths.has_value() ? 0U : 1U, zones.problems.size()) << row.temp;
    }
    Tree mixed;
    AddZone(&mixed, "thermal_zone0", "soc", "38500\n");
    AddZone(&mixed, "thermal_zone1", "tsens", "41\n");
    AddZone(&mixed, "thermal_zone2", "pmic", "395\n");
    AddZone(&mixed, "thermal_zone3", "stuck", "255000\n");
    const ZoneReading zones = ReadZones(mixed.files());
    EXPECT_EQ(410, zones.hottest);
    EXPECT_EQ("tsens", zones.name);
    EXPECT_THAT(zones.problems,
                ElementsAre(
                        HasSubstr("thermal_zone3/temp is '255000', which no running phone has")));
}

// The zones of a phone with a PM8150B, charged to 72 %, as its kernel lists them.
TEST(HeatTest, CurrentsVoltagesAndPercentagesAreNoTemperatures) {
    Tree tree;
    const std::pair<const char*, const char*> zones[] = {
            {"pm8150b_tz", "26590\n"},      {"pm8150b-ibat-lvl0", "546\n"},
            {"pm8150b-ibat-lvl1", "781\n"}, {"pm8150b-vbat-lvl0", "3986\n"},
            {"pm8150b-bcl-lvl0", "0\n"},    {"soc", "72\n"},
            {"pm8150l-vph-lvl0", "0\n"},    {"socd", "28\n"},
            {"pmi632-ibat-lvl0", "-234\n"}, {"vbat", "3986\n"},
    };
    for (size_t i = 0; i < std::size(zones); ++i) {
        AddZone(&tree, "thermal_zone" + std::to_string(i), zones[i].first, zones[i].second);
    }
    const ZoneReading reading = ReadZones(tree.files());
    EXPECT_EQ(265, reading.hottest);
    EXPECT_EQ("pm8150b_tz", reading.name);
    EXPECT_THAT(reading.problems, IsEmpty());
}

// The zones of a Pixel 6 at rest, from a public report. Its alarm "vdroop1" stands at 3.05 V, so
// that the zone reads 4200 - 3050 - 100. The battery has 96 cycles here, instead of 1.
TEST(HeatTest, AlarmThresholdsAndChargeCyclesAreNoTemperatures) {
    Tree tree;
    const std::pair<const char*, const char*> zones[] = {
            {"smpl_gm", "1300\n"},
            {"ocp_cpu1", "6900\n"},
            {"ocp_cpu2", "11900\n"},
            {"soft_ocp_cpu1", "6900\n"},
            {"soft_ocp_cpu2", "8900\n"},
            {"ocp_tpu", "10400\n"},
            {"soft_ocp_tpu", "8400\n"},
            {"ocp_gpu", "11900\n"},
            {"soft_ocp_gpu", "8900\n"},
            {"vdroop1", "1050\n"},
            {"vdroop2", "1250\n"},
            {"batoilo", "4900\n"},
            {"battery_cycle", "96\n"},
            {"soc", "19\n"},
            {"battery", "22100\n"},
            {"neutral_therm", "22912\n"},
            {"gnss_tcxo_therm", "23239\n"},
            {"BIG", "26000\n"},
            {"MID", "27000\n"},
    };
    for (size_t i = 0; i < std::size(zones); ++i) {
        AddZone(&tree, "thermal_zone" + std::to_string(i), zones[i].first, zones[i].second);
    }
    const ZoneReading reading = ReadZones(tree.files());
    EXPECT_EQ(270, reading.hottest);
    EXPECT_EQ("MID", reading.name);
    EXPECT_THAT(reading.problems, IsEmpty());
}

// The zones of a Galaxy S10 with a Snapdragon 855 at rest, from a public report.
TEST(HeatTest, AConstantInPlaceOfATemperatureIsNoTemperature) {
    Tree tree;
    const std::pair<const char*, const char*> zones[] = {
            {"lmh-dcvs-00", "75000\n"}, {"lmh-dcvs-01", "75000\n"}, {"cpu-1-0-usr", "37100\n"},
            {"cpu-1-2-usr", "38600\n"}, {"cpu-1-7-usr", "37900\n"},
    };
    for (size_t i = 0; i < std::size(zones); ++i) {
        AddZone(&tree, "thermal_zone" + std::to_string(i), zones[i].first, zones[i].second);
    }
    const ZoneReading reading = ReadZones(tree.files());
    EXPECT_EQ(386, reading.hottest);
    EXPECT_EQ("cpu-1-2-usr", reading.name);
    EXPECT_THAT(reading.problems, IsEmpty());
}

TEST(HeatTest, OneZoneMoreIsSingular) {
    Tree tree;
    for (int i = 0; i < 4; ++i) AddZone(&tree, "thermal_zone" + std::to_string(i), "off", "");
    EXPECT_EQ("1 more zone is left out", ReadZones(tree.files()).problems.back());
}

TEST(HeatTest, ManyBrokenZonesAreAFewProblems) {
    Tree tree;
    for (int i = 0; i < 20; ++i) AddZone(&tree, "thermal_zone" + std::to_string(i), "off", "");
    ZoneReading zones = ReadZones(tree.files());
    EXPECT_EQ(std::nullopt, zones.hottest);
    ASSERT_EQ(4U, zones.problems.size());
    EXPECT_EQ("17 more zones are left out", zones.problems.back());
    // A broken zone is named before zones that are off.
    AddZone(&tree, "thermal_zone9", "broken", "255000\n");
    EXPECT_THAT(ReadZones(tree.files()).problems.front(), HasSubstr("thermal_zone9/temp"));
}

}  // namespace
}  // namespace storekeeper
