// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/dump.h"
#include "report/report_text.h"
#include "report/why_text.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;

Json::Value DumpOf(Phone& phone) {
    return phone.Dump();
}

TEST(ReportTest, NamesSchemaAndVersion) {
    Phone phone;
    Json::Value dump = DumpOf(phone);
    EXPECT_EQ("storekeeper.dump", dump["schema"].asString());
    EXPECT_EQ(1, dump["version"].asInt());
}

TEST(ReportTest, TextIsOneScreenAndBeginsWithTheLifeLeft) {
    Phone phone;
    phone.clock.Advance(minutes(10));
    phone.keeper().Trim({});
    std::string text = DumpText(DumpOf(phone), {});
    EXPECT_EQ(0U, text.find("Storage life: 0-10 % used (90-100 % left), pre-EOL normal\n"));
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 24);
    EXPECT_THAT(text, HasSubstr("Maintenance: idle, next look in "));
    EXPECT_THAT(text, HasSubstr("  untouched  closed 11 min 40 s  needs 1 h        48 min 20 s "
                                "short, for 0 s, screen off\n"));
    EXPECT_THAT(text,
                HasSubstr(
                        "  interval   closed 0 s          needs 1 d        1 d short, for 0 s\n"));
    EXPECT_THAT(text, HasSubstr("  battery    open   100 %        needs 30 %       70 % to spare, "
                                "for 0 s, on charger\n"));
    EXPECT_THAT(text, HasSubstr("Last complete run: 2026-01-01 00:10:00 UTC\n"));
    EXPECT_THAT(text, HasSubstr("by command, trimmed"));
    EXPECT_THAT(text, HasSubstr("  Trimmed 4096000 bytes on /data ("));
}

TEST(ReportTest, WhatIsNotKnownIsNullNotZero) {
    Phone phone;
    phone.tree.Write("/proc/diskstats", "garbage\n");
    phone.inputs.Set({.power = android::base::Error() << "capacity is empty",
                      .interaction = android::base::Error() << "no node"});
    phone.keeper().Trim({"/data"});
    Json::Value maintenance = DumpOf(phone)["maintenance"];
    EXPECT_TRUE(maintenance["last_complete_wall_s"].isNull());
    EXPECT_TRUE(maintenance["last_run"]["mounts"][0]["block_layer_bytes"].isNull());
    EXPECT_EQ(4096000U, maintenance["last_run"]["mounts"][0]["filesystem_bytes"].asUInt64());
    for (const Json::Value& gate : maintenance["gates"]) {
        const std::string name = gate["name"].asString();
        if (name == "untouched" || name == "battery" || name == "interval" || name == "retry") {
            EXPECT_TRUE(gate["value"].isNull()) << name;
        }
    }
    std::string text = StatusText(maintenance);
    EXPECT_THAT(text, HasSubstr("battery    closed unknown      needs 80 %       for 0 s, capacity "
                                "is empty"));
    EXPECT_THAT(text, HasSubstr("an unknown number of bytes discarded"));
}

TEST(ReportTest, AnItemThatCouldNotBeReadIsInTheDump) {
    Phone phone;
    phone.tree.Write("/sys/block/mmcblk0/device/pre_eol_info", "");
    phone.keeper().Health();
    Json::Value dump = DumpOf(phone);
    EXPECT_THAT(DumpText(dump, {}), HasSubstr("could not be read: /sys/block/mmcblk0/device/"
                                              "pre_eol_info is empty\n"));
    EXPECT_THAT(HealthText(dump["health"]), HasSubstr("pre_eol_info         could not be read"));
    EXPECT_THAT(HealthText(dump["health"]),
                HasSubstr("life_time            0x01 0x01  (A: 0-10 %"));
    EXPECT_THAT(HealthText(dump["health"]), HasSubstr("fwrev                not reported"));
}

TEST(ReportTest, TimesAreToldBeyondA32BitTimeT) {
    EXPECT_EQ("2016-02-29 23:59:59 UTC", WallTimeText(1'456'790'399));
    EXPECT_EQ("2038-01-19 03:14:08 UTC", WallTimeText(2'147'483'648));
    EXPECT_EQ("9999-12-31 23:59:59 UTC", WallTimeText(253'402'300'799));
    EXPECT_EQ("?", WallTimeText(253'402'300'800));
    EXPECT_EQ("?", WallTimeText(-1));
}

TEST(ReportTest, SaysWhenItWillLookAgain) {
    Phone phone;
    phone.clock.Advance(hours(2));
    EXPECT_THAT(StatusText(StatusToJson(phone.keeper().Status())),
                HasSubstr("Maintenance: idle, about to run\n"));
    phone.inputs.Set({.power = PowerReading{.has_battery = true, .percent = 5},
                      .interaction = InteractionReading{.screen_on = false}});
    EXPECT_THAT(StatusText(StatusToJson(phone.keeper().Status())),
                HasSubstr("next look in 1 h or when the power changes\n"));
}

}  // namespace
}  // namespace storekeeper
