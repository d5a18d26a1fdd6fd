// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "service/collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/dump.h"
#include "testing/phone.h"

namespace storekeeper {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

constexpr char kLevel[] = "storekeeper.status.level";
constexpr char kLifeTime[] = "/sys/block/mmcblk0/device/life_time";

TEST(CollectorTest, TellsNothingBeforeItHasGathered) {
    Phone phone;
    const Json::Value dump = phone.Dump();
    EXPECT_EQ(0U, dump["ledger"]["samples"].asUInt());
    EXPECT_TRUE(dump["latency"]["now"].empty());
    EXPECT_EQ("Phone", dump["device"]["model"].asString());
}

TEST(CollectorTest, GathersTheWearAndPublishesIt) {
    Phone phone;
    phone.collector().Gather();
    const Json::Value dump = phone.Dump();
    EXPECT_EQ(1U, dump["ledger"]["samples"].asUInt());
    EXPECT_EQ("first_seen", dump["ledger"]["events"][0]["kind"].asString());
    EXPECT_EQ("good", phone.Property(kLevel));
    EXPECT_EQ("10", phone.Property("storekeeper.status.life_used_pct"));
}

TEST(CollectorTest, RemembersOverARestartWhatWasWrittenDown) {
    Phone phone;
    phone.collector().Gather();
    phone.collector().Finish();
    phone.Restart();
    phone.clock.Advance(hours(24));
    phone.tree.Write(kLifeTime, "0x02 0x01\n");
    phone.collector().Gather();
    const Json::Value ledger = phone.Dump()["ledger"];
    EXPECT_EQ(2U, ledger["samples"].asUInt());
    ASSERT_EQ(1U, ledger["steps"].size());
    EXPECT_EQ("life_time_a", ledger["steps"][0]["field"].asString());
    EXPECT_EQ(2, ledger["steps"][0]["to"].asInt());
}

TEST(CollectorTest, GathersWhenTickedAndNotAgainForSixHours) {
    Phone phone;
    phone.collector().Tick();
    phone.WaitForProperty(kLevel, "good");
    phone.tree.Write(kLifeTime, "0x0b 0x01\n");
    phone.clock.Advance(hours(5));
    phone.collector().Tick();
    phone.collector().Finish();
    EXPECT_EQ("good", phone.Property(kLevel));
    phone.clock.Advance(hours(1));
    phone.collector().Tick();
    phone.WaitForProperty(kLevel, "urgent");
}

TEST(CollectorTest, ARunIsMarkedAndMeasuredAtOnce) {
    Phone phone;
    phone.collector().Gather();
    phone.tree.Write(kLifeTime, "0x09 0x01\n");
    phone.collector().OnRun({.started_wall = WallTime(1), .complete = true});
    phone.WaitForProperty(kLevel, "warning");
}

TEST(CollectorTest, ToldAlertsAreInTheDumpAndOutliveARestart) {
    Phone phone;
    phone.tree.Write(kLifeTime, "0x0b 0x01\n");
    for (int i = 0; i < 2; ++i) {
        phone.collector().Gather();
        phone.collector().Finish();
        const Json::Value dump = phone.Dump();
        ASSERT_EQ(1U, dump["ledger"]["alerts"].size()) << i;
        EXPECT_EQ("life_a", dump["ledger"]["alerts"][0]["code"].asString());
        EXPECT_THAT(DumpText(dump, {}), HasSubstr("Alert: "));
        phone.Restart();
    }
}

TEST(DumpTest, PrintsTheSectionsThatAreNamed) {
    Phone phone;
    phone.collector().Gather();
    const Json::Value dump = phone.Dump();
    const std::string one = DumpText(dump, {"latency"});
    EXPECT_EQ(0U, one.find("Latency:"));
    EXPECT_THAT(one, testing::Not(HasSubstr("Maintenance:")));
    std::string all;
    for (const std::string& section : DumpSections()) all += DumpText(dump, {section});
    EXPECT_EQ(all, DumpText(dump, {"-a"}));
    EXPECT_EQ(DumpText(dump, {}), DumpText(dump, {"--proto-not-ours"}));
}

}  // namespace
}  // namespace storekeeper
