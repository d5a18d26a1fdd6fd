// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/file.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <json/value.h>

#include <map>
#include <set>

#include "base/json_text.h"
#include "daemon/collector.h"
#include "report/collected.h"
#include "report/report.h"
#include "testing/wear_history.h"

namespace storekeeper {
namespace {

using testing::HasSubstr;

constexpr uint64_t kGib = WearHistory::kGib;

double Gib(int) {
    return 10;
}

TEST(WrittenTextTest, InAllAndADayOrWhyNot) {
    Collected collected;
    EXPECT_EQ("", WrittenText(collected));
    collected.ledger.points.emplace_back();
    EXPECT_EQ("Written: not known, the file system does not report bytes written\n",
              WrittenText(collected));
    collected.ledger.not_counted = "not counted: queue/iostats is 0 on mmcblk0";
    EXPECT_EQ("Written: not known, bytes written are not counted: queue/iostats is 0 on mmcblk0\n",
              WrittenText(collected));
    EXPECT_THAT(LedgerText(collected), HasSubstr("No samples yet"));
    collected.ledger.since = WearHistory::kBegin;
    EXPECT_THAT(LedgerText(collected),
                HasSubstr("; bytes written are not counted: queue/iostats is 0 on mmcblk0\n"));
    collected.lifetime_bytes = 812 * kGib;
    EXPECT_EQ("Written: 812 GiB since /data was made, bytes a day not known yet\n",
              WrittenText(collected));
    collected.forecast.bytes_per_day = 6 * kGib;
    EXPECT_EQ("Written: 812 GiB since /data was made, 6 GiB a day\n", WrittenText(collected));
}

class LedgerReportTest : public testing::Test {
  protected:
    explicit LedgerReportTest(int number_of_days = 100)
          : phone_({.used_pct = 65, .bytes_per_step = std::vector<double>(10, 300.0 * kGib)}) {
        phone_.Run(number_of_days, Gib, 2);
        collected_.ledger = BuildLedger(phone_.samples);
        collected_.forecast = MakeForecast(collected_.ledger, phone_.clock());
        UpdateAlerts(collected_.ledger, collected_.forecast, {.device = "mmcblk0 (VEMMC1)"},
                     phone_.clock(), &collected_.alerts);
    }

    WearHistory phone_;
    Collected collected_;
};

// Checks that all keys required by docs/dump.schema.json exist, with values of an allowed type.
void Check(const Json::Value& schema, const Json::Value& root, const Json::Value& value,
           const std::string& path) {
    if (schema.isMember("$ref")) {
        const std::string name = schema["$ref"].asString().substr(sizeof("#/$defs/") - 1);
        ASSERT_TRUE(root["$defs"].isMember(name)) << name;
        Check(root["$defs"][name], root, value, path);
    }
    if (schema.isMember("type")) {
        bool matches = false;
        const Json::Value& type = schema["type"];
        for (Json::ArrayIndex i = 0; i < (type.isArray() ? type.size() : 1); ++i) {
            const std::string name = (type.isArray() ? type[i] : type).asString();
            matches |= (name == "object" && value.isObject()) ||
                       (name == "array" && value.isArray()) ||
                       (name == "string" && value.isString()) ||
                       (name == "integer" && value.isIntegral()) ||
                       (name == "number" && value.isNumeric()) ||
                       (name == "boolean" && value.isBool()) || (name == "null" && value.isNull());
        }
        EXPECT_TRUE(matches) << path << ": " << value.toStyledString();
    }
    if (schema.isMember("enum")) {
        bool listed = false;
        for (const Json::Value& one : schema["enum"]) listed |= one == value;
        EXPECT_TRUE(listed) << path << ": " << value.toStyledString();
    }
    if (value.isObject()) {
        for (const Json::Value& key : schema["required"]) {
            EXPECT_TRUE(value.isMember(key.asString())) << path << " has no " << key.asString();
        }
        const std::string prefix = path + ".";
        for (const std::string& key : value.getMemberNames()) {
            ASSERT_TRUE(schema["properties"].isMember(key) || schema.isMember("$ref") ||
                        !schema.isMember("properties"))
                    << prefix << key << " is not in the schema";
            if (schema["properties"].isMember(key)) {
                Check(schema["properties"][key], root, value[key], prefix + key);
            }
        }
    }
    if (value.isArray()) {
        for (const Json::Value& item : value) Check(schema["items"], root, item, path + "[]");
    }
}

void CheckSection(const std::string& section, const Json::Value& value) {
    const std::string path = android::base::GetExecutableDirectory() + "/dump.schema.json";
    std::string text;
    ASSERT_TRUE(android::base::ReadFileToString(path, &text, /*follow_symlinks=*/true)) << path;
    const auto schema = ParseJsonObject(text, {.bytes = 1 << 20, .depth = 64});
    ASSERT_TRUE(schema.ok()) << schema.error();
    Check((*schema)["properties"][section], *schema, value, section);
}

TEST_F(LedgerReportTest, IsAsTheSchemaSays) {
    Json::Value json = LedgerToJson(collected_);
    CheckSection("ledger", json);
    EXPECT_EQ(100, json["samples"].asInt());
    EXPECT_EQ(100, json["series"].size());
    EXPECT_EQ("range", json["forecast"]["state"].asString());
    EXPECT_EQ(3, json["steps"].size());
    ASSERT_EQ(2, json["alerts"].size());
    EXPECT_EQ("life_a", json["alerts"][0]["code"].asString());
    CheckSection("ledger", LedgerToJson({.forecast = MakeForecast({}, {})}));
}

TEST(CryptoReportTest, IsAsTheSchemaSays) {
    CryptoStatus status{.notes = {"a note"}};
    status.inventory.drivers.push_back({{.name = "cbc(aes)", .driver = "qcrypto-cbc-aes"}});
    status.volumes.push_back({.mount = "/data", .evidence = {"layer: none"}});
    CheckSection("crypto", CryptoToJson(status));
    status.choice.baseline = CryptoBaseline{.method = "af_alg"};
    status.measured = CryptoMeasured{.name = "cbc(aes)",
                                     .figures = {{.net_mbps = Estimate()}, {}},
                                     .file = FileSpeed(),
                                     .now = CryptoBaseline()};
    CheckSection("crypto", CryptoToJson(status));
}

TEST_F(LedgerReportTest, OneSampleIsSingular) {
    collected_.ledger.points.resize(1);
    EXPECT_THAT(LedgerText(collected_), HasSubstr(": 1 sample since "));
}

TEST_F(LedgerReportTest, Text) {
    std::string text = LedgerText(collected_);
    EXPECT_EQ(0, text.find("Used up between 2024-"));
    EXPECT_THAT(text, HasSubstr("Alert (warning, since "));
    EXPECT_THAT(text, HasSubstr("100 samples since "));
    EXPECT_THAT(text, HasSubstr("990 GiB written by /data"));
    EXPECT_THAT(text, HasSubstr("Expected writes: 10.0 GiB a day"));
    EXPECT_THAT(text, HasSubstr("Each 10 % of life takes 292.3 GiB (274.2 GiB to 310.3 GiB)"));
    EXPECT_THAT(text, HasSubstr("life_time_a from 7 to 8\n"));
    EXPECT_THAT(text, HasSubstr("life_time_a from 8 to 9, 300 GiB since the previous step\n"));
    EXPECT_THAT(text, HasSubstr("first_seen: chip 00112233445566aa\n"));
    EXPECT_THAT(LedgerText({.forecast = MakeForecast({}, {})}), HasSubstr("No samples yet"));
}

TEST_F(LedgerReportTest, FiveYearsAreThinnedOutButNoStepIsLost) {
    WearHistory phone({.used_pct = 0, .bytes_per_step = std::vector<double>(10, 2000.0 * kGib)});
    phone.Run(5 * 365, Gib, 3);
    Ledger ledger = BuildLedger(phone.samples);
    Json::Value series = LedgerToJson({.ledger = ledger})["series"];
    EXPECT_LE(series.size(), 256 + 1 + ledger.steps.size());
    std::set<int> seen;
    for (const Json::Value& point : series) seen.insert(point["life_time_a"].asInt());
    EXPECT_EQ(ledger.steps.size() + 1, seen.size());
    EXPECT_EQ(ledger.points.back().wall.count(), series[series.size() - 1]["wall_s"].asInt64());
}

TEST_F(LedgerReportTest, Properties) {
    using Properties = std::map<std::string, std::string>;
    const WearReading& wear = collected_.ledger.points.back().wear;
    collected_.lifetime_bytes = 123456789012345;
    Properties known;
    for (const auto& [name, value] :
         StatusProperties(JudgeWear(wear, collected_.forecast), wear, collected_, "10102,1000")) {
        known[name] = value;
        EXPECT_LT(value.size(), 92u);
    }
    EXPECT_EQ("100", known["storekeeper.status.life_used_pct"]);
    EXPECT_EQ("normal", known["storekeeper.status.pre_eol"]);
    EXPECT_EQ("urgent", known["storekeeper.status.level"]);
    EXPECT_EQ(MonthText(*collected_.forecast.earliest), known["storekeeper.status.forecast_end"]);
    EXPECT_EQ(MonthText(*collected_.forecast.latest), known["storekeeper.status.forecast_latest"]);
    EXPECT_EQ("123456789012345", known["storekeeper.status.written_bytes"]);
    EXPECT_EQ("forecast:urgent,life_a:warning", known["storekeeper.status.alerts"]);
    EXPECT_EQ("10102,1000", known["storekeeper.status.over_budget"]);
    Properties unknown;
    for (const auto& [name, value] : StatusProperties(JudgeWear({}), {}, {}, "")) {
        unknown[name] = value;
    }
    EXPECT_EQ("", unknown["storekeeper.status.life_used_pct"]);
    EXPECT_EQ("", unknown["storekeeper.status.life_remaining_pct"]);
    EXPECT_EQ("", unknown["storekeeper.status.pre_eol"]);
    EXPECT_EQ("unknown", unknown["storekeeper.status.level"]);
    EXPECT_EQ("unknown", unknown["storekeeper.status.forecast_end"]);
    EXPECT_EQ("", unknown["storekeeper.status.forecast_latest"]);
    EXPECT_EQ("", unknown["storekeeper.status.written_bytes"]);
    EXPECT_EQ("", unknown["storekeeper.status.alerts"]);
    EXPECT_EQ("", unknown["storekeeper.status.over_budget"]);
}

// A forecast without a range may have the month that the life reaches even at twice the rate.
TEST_F(LedgerReportTest, AForecastOfOneEndHasOneProperty) {
    std::map<std::string, std::string> found;
    for (const auto& [name, value] :
         StatusProperties(JudgeWear({}), {},
                          {.forecast = {.earliest = collected_.forecast.earliest}}, "")) {
        found[name] = value;
    }
    EXPECT_EQ(MonthText(*collected_.forecast.earliest), found["storekeeper.status.forecast_end"]);
    EXPECT_EQ("", found["storekeeper.status.forecast_latest"]);
}

TEST(MountsReportTest, IsAsTheSchemaSaysAndReads) {
    MountTable table = ParseMountinfo(
            "40 21 8:1 / /data rw,noatime - ext4 /dev/block/sda1 rw,nobarrier\n"
            "41 21 0:9 / /storage/emulated rw,noatime - esdfs /data/media rw\n");
    MountAuditInputs inputs{.mounts = {{.mount = table.mounts.at(0),
                                        .size_bytes = 64 * kGib,
                                        .free_bytes = 16 * kGib,
                                        .layer = "fscrypt",
                                        .discards = true,
                                        .maintained = true},
                                       {.mount = table.mounts.at(1)}},
                            .volatile_cache = true};
    Json::Value json = MountAuditToJson(inputs);
    CheckSection("mount_audit", json);
    EXPECT_EQ("rw,noatime,nobarrier", json["mounts"][0]["options"].asString());
    std::string text = MountsText(inputs);
    EXPECT_EQ(0, text.find("urgent: /data: mounted with nobarrier"));
    EXPECT_THAT(text, HasSubstr("    change: mount it without nobarrier\n"));
    EXPECT_THAT(text, HasSubstr("  /data                ext4, 16 GiB of 64 GiB free, fscrypt\n"));
    EXPECT_THAT(text, HasSubstr("/dev/block/sda1 rw,noatime,nobarrier\n"));
    CheckSection("mount_audit", MountAuditToJson({}));
    EXPECT_THAT(MountsText({}), HasSubstr("Nothing to change."));
}

}  // namespace
}  // namespace storekeeper
