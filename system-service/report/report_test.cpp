// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/report.h"

#include <android-base/strings.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "report/dump.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;
using testing::StartsWith;

TEST(ReportTest, NamesSchemaAndVersion) {
    Phone phone;
    Json::Value dump = phone.Dump();
    EXPECT_EQ("storekeeper.dump", dump["schema"].asString());
    EXPECT_EQ(1, dump["version"].asInt());
}

void FitsAScreen(const std::string& text) {
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), kScreenLines) << text;
    for (const std::string& line : android::base::Split(text, "\n")) {
        EXPECT_LE(line.size(), kScreenColumns) << line;
    }
}

// A phone whose chip has a long name, in use all day, with findings about two mounts.
class ScreenTest : public testing::Test {
  protected:
    ScreenTest() {
        const std::string device = "/sys/block/mmcblk0/device/";
        phone.tree.Write(device + "manfid", "0x000070\n");
        phone.tree.Write(device + "name", "VN7-12\n");
        phone.tree.Write(device + "fwrev", "0x0100000000000000\n");
        phone.tree.Write(device + "date", "07/2012\n");
        InUse();
        phone.collector().Gather();
    }

    void InUse() {
        MaintenanceReadings readings = FakeInputs::Untouched();
        readings.interaction =
                InteractionReading{.screen_on = true, .last_input = phone.clock.SinceBoot()};
        readings.power = PowerReading{.has_battery = true, .percent = 60};
        readings.storage =
                StorageReading{.busy_percent = 67, .source = "disk busy time since the last check"};
        phone.inputs.Set(readings);
    }

    std::string Screen() { return DumpText(phone.Sources(), {}); }

    Phone phone;
};

TEST_F(ScreenTest, IdleAndNotDue) {
    phone.keeper().Trim({});
    phone.clock.Advance(minutes(10));
    phone.keeper().Tick();
    InUse();
    const std::string text = Screen();
    FitsAScreen(text);
    EXPECT_THAT(text, StartsWith("Storage life: 0-10 % used (90-100 % left), pre-EOL normal\n"
                                 "Chip: mmcblk0, VN7-12 by Kingston, firmware 0x0100000000000000, "
                                 "eMMC 5.1, made\n    07/2012\n"));
    EXPECT_THAT(text, HasSubstr("Maintenance: idle, next check in "));
    EXPECT_THAT(text, HasSubstr("  Gate       State  Value       Limit     Detail\n"
                                "  interval   closed 10 min      >= 1 d    23 h 50 min to go "
                                "(closed for 0 s)\n"));
    EXPECT_THAT(text, HasSubstr("  untouched  closed 0 s         >= 1 h    1 h to go (closed for "
                                "0 s); screen on\n"));
    EXPECT_THAT(text, HasSubstr("  Open gates: written, retry, heat, zones, checkpoint, framework, "
                                "chip\n"));
    EXPECT_THAT(text, HasSubstr("Next run: in 23 h 50 min at the earliest, if all other gates are "
                                "open.\n"));
    EXPECT_THAT(text, HasSubstr("Last complete run: 2026-01-01 00:00:00 UTC\n"));
    EXPECT_THAT(text, HasSubstr("by command, trimmed, 800 ms\n"
                                "  Trimmed 3.9 MiB on /data in 400 ms\n"));
}

TEST_F(ScreenTest, DueAndDeferred) {
    phone.keeper().Trim({});
    for (int i = 0; i < 40; ++i) {
        phone.clock.Advance(hours(1));
        InUse();
        phone.keeper().Tick();
    }
    const std::string text = Screen();
    FitsAScreen(text);
    EXPECT_THAT(text, HasSubstr("A run is due, waiting for: untouched, battery, storage; "));
    EXPECT_THAT(text, HasSubstr(" at the earliest. In\n    5 d 8 h all gates except the safety "
                                "gates are waived.\n"));
    EXPECT_THAT(text, HasSubstr("Deferred at 2026-01-02 00:00:00 UTC: device in use, battery low, "
                                "storage busy\n"));
}

TEST_F(ScreenTest, Trimming) {
    std::string text;
    phone.DuringFitrim([&] { text = Screen(); });
    phone.keeper().Trim({});
    FitsAScreen(text);
    EXPECT_THAT(text, HasSubstr("Maintenance: trimming /cache\n"));
    EXPECT_THAT(text, HasSubstr("A run is in progress.\n"));
}

TEST_F(ScreenTest, AlertStanding) {
    phone.keeper().Trim({});
    phone.tree.Write("/sys/block/mmcblk0/device/life_time", "0x0b 0x01\n");
    phone.collector().Gather();
    const std::string text = Screen();
    FitsAScreen(text);
    EXPECT_THAT(text, HasSubstr("Alert: "));
}

TEST(ReportTest, UnknownValuesAreNullNotZero) {
    Phone phone;
    phone.tree.Write("/proc/diskstats", "garbage\n");
    phone.inputs.Set({.power = android::base::Error() << "capacity is empty",
                      .interaction = android::base::Error() << "no node"});
    phone.keeper().Trim({"/data"});
    Json::Value maintenance = phone.Dump()["maintenance"];
    EXPECT_TRUE(maintenance["last_complete_wall_s"].isNull());
    EXPECT_TRUE(maintenance["last_run"]["mounts"][0]["block_layer_bytes"].isNull());
    EXPECT_EQ(4096000U, maintenance["last_run"]["mounts"][0]["filesystem_bytes"].asUInt64());
    for (const Json::Value& gate : maintenance["gates"]) {
        const std::string name = gate["name"].asString();
        if (name == "untouched" || name == "battery" || name == "interval" || name == "retry") {
            EXPECT_TRUE(gate["value"].isNull()) << name;
        }
    }
    std::string text = StatusText(phone.keeper().Status());
    EXPECT_THAT(text, HasSubstr("battery    closed unknown     >= 80 %   closed for 0 s; capacity "
                                "is empty\n"));
    EXPECT_THAT(text, HasSubstr("an unknown number of bytes discarded"));
}

TEST(ReportTest, AnItemThatCouldNotBeReadIsInTheDump) {
    Phone phone;
    phone.tree.Write("/sys/block/mmcblk0/device/pre_eol_info", "");
    const HealthReport health = phone.daemon().Health();
    EXPECT_THAT(DumpText(phone.Sources(), {}), HasSubstr("could not be read: /sys/block/mmcblk0/"
                                                         "device/pre_eol_info is empty\n"));
    EXPECT_THAT(HealthText(health), HasSubstr("pre_eol_info         could not be read"));
    EXPECT_THAT(HealthText(health), HasSubstr("life_time            0x01 0x01  (A: 0-10 %"));
    EXPECT_THAT(HealthText(health), HasSubstr("fwrev                not reported"));
}

TEST(ReportTest, DetailsOfAChipAreInJsonAlone) {
    HealthReport health;
    health.storage.critical_health = 2;
    health.storage.items = {{.name = "wb_type", .value = "0x01", .source = "ufs", .detail = true},
                            {.name = "wb_on", .value = "1", .source = "ufs"},
                            {.name = "hid/defrag_size", .problem = "broken", .detail = true}};
    EXPECT_THAT(HealthText(health), HasSubstr("wb_on                1\n"));
    for (const std::string& text : {HealthText(health), HealthBrief(health)}) {
        EXPECT_THAT(text, testing::Not(HasSubstr("wb_type")));
        EXPECT_THAT(text, testing::Not(HasSubstr("broken")));
    }
    const Json::Value json = HealthToJson(health);
    EXPECT_EQ(3U, json["items"].size());
    EXPECT_EQ("error", json["items"][2]["state"].asString());
    EXPECT_EQ(2, json["critical_health"].asInt());
}

TEST(ReportTest, TheChipsIdentityIsFlatAndTyped) {
    HealthReport health;
    Json::Value json = HealthToJson(health);
    for (const char* key : {"chip_maker", "chip_model", "chip_firmware", "capacity_bytes"}) {
        EXPECT_TRUE(json.isMember(key)) << key;
        EXPECT_TRUE(json[key].isNull()) << key;
    }
    health.storage.kind = StorageHealth::Kind::kEmmc;
    health.storage.sectors = 62'333'952;
    health.storage.items = {{.name = "name", .value = "BJTD4R"},
                            {.name = "manfid", .value = "0x000015", .explanation = "Samsung"},
                            {.name = "fwrev", .value = "0x0700000000000000"}};
    json = HealthToJson(health);
    EXPECT_EQ("Samsung", json["chip_maker"].asString());
    EXPECT_EQ("BJTD4R", json["chip_model"].asString());
    EXPECT_EQ("0x0700000000000000", json["chip_firmware"].asString());
    EXPECT_EQ(31'914'983'424U, json["capacity_bytes"].asUInt64());
    health.storage.items[1].explanation = "";  // unknown maker
    EXPECT_EQ("0x000015", HealthToJson(health)["chip_maker"].asString());
    health.storage.kind = StorageHealth::Kind::kUfs;
    health.storage.sectors = UINT64_MAX;
    health.storage.items = {{.name = "manufacturer_name", .value = "KIOXIA"},
                            {.name = "product_name", .value = "THGJFAT0T44BAILB"},
                            {.name = "product_revision", .value = "0105"}};
    json = HealthToJson(health);
    EXPECT_EQ("KIOXIA", json["chip_maker"].asString());
    EXPECT_EQ("THGJFAT0T44BAILB", json["chip_model"].asString());
    EXPECT_EQ("0105", json["chip_firmware"].asString());
    EXPECT_TRUE(json["capacity_bytes"].isNull());
}

TEST(ReportTest, TimesAreReportedBeyondA32BitTimeT) {
    EXPECT_EQ("2016-02-29 23:59:59 UTC", WallTimeText(WallTime(1'456'790'399)));
    EXPECT_EQ("2038-01-19 03:14:08 UTC", WallTimeText(WallTime(2'147'483'648)));
    EXPECT_EQ("9999-12-31 23:59:59 UTC", WallTimeText(WallTime(253'402'300'799)));
    EXPECT_EQ("?", WallTimeText(WallTime(253'402'300'800)));
    EXPECT_EQ("?", WallTimeText(WallTime(-1)));
}

TEST(ReportTest, SaysWhenItWillCheckAgain) {
    Phone phone;
    phone.clock.Advance(hours(2));
    EXPECT_THAT(StatusText(phone.keeper().Status()),
                HasSubstr("Maintenance: idle, about to run\n"));
    phone.inputs.Set(
            {.power = PowerReading{.has_battery = true, .percent = 5},
             .interaction = InteractionReading{.screen_on = false, .last_input = BootTime(0)}});
    EXPECT_THAT(StatusText(phone.keeper().Status()),
                HasSubstr("next check in 1 h or when the power supply changes\n"));
}

TEST(WrapTextTest, BreaksAtBlanksAndIndents) {
    const std::string word(30, 'x');
    EXPECT_EQ("  a\nb\n", WrapText("  a \n\nb"));
    EXPECT_EQ("  " + word + " " + word + "\n      " + word + "\n",
              WrapText("  " + word + " " + word + " " + word));
    EXPECT_EQ(word + " " + word + "\n  " + word + "\n",
              WrapText(word + " " + word + " " + word + "\n", 2));
    const std::string full(kScreenColumns, 'y');
    EXPECT_EQ(full + "\n    " + full + "\n    z\n", WrapText(full + " " + full + " z"));
}

}  // namespace
}  // namespace storekeeper
