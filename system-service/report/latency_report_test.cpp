// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/collected.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using testing::HasSubstr;

LatencyPoint Probed() {
    LatencySample sample{.wall = WallTime(1000),
                         .span = std::chrono::seconds(2),
                         .source = LatencySource::kProbe,
                         .kind = IoKind::kWrite};
    for (int i = 1; i <= 100; ++i) {
        sample.histogram.Add(microseconds(i * 100));
        sample.total += microseconds(i * 100);
        ++sample.count;
    }
    return LatencyPoint::FromSample(sample);
}

TEST(LatencyReportTest, ReportsPercentilesWhereThereIsAHistogram) {
    const Json::Value json = LatencyToJson({.now = {Probed()}}, false)["now"][0];
    EXPECT_EQ("probe", json["source"].asString());
    EXPECT_EQ("write", json["kind"].asString());
    EXPECT_DOUBLE_EQ(5050, json["mean_us"].asDouble());
    EXPECT_NEAR(5000, json["p50_us"].asDouble(), 5000 * 0.032);
    EXPECT_NEAR(9900, json["p99_us"].asDouble(), 9900 * 0.032);
}

TEST(LatencyReportTest, AMeanAloneHasNoPercentiles) {
    const LatencySample sample{.count = 4, .total = microseconds(12)};
    const Json::Value json =
            LatencyToJson({.now = {LatencyPoint::FromSample(sample)}}, false)["now"][0];
    EXPECT_DOUBLE_EQ(3, json["mean_us"].asDouble());
    EXPECT_TRUE(json["p99_us"].isNull());
    EXPECT_TRUE(LatencyToJson({.now = {LatencyPoint{}}}, false)["now"][0]["mean_us"].isNull());
}

TEST(LatencyReportTest, TheTextHasEveryFigureWithItsUnit) {
    LatencyReport report{.sources = {{LatencySource::kProbe, ""},
                                     {LatencySource::kDiskstats, "no disk"}},
                         .now = {Probed()},
                         .uid_writes = {{.uid = 10001,
                                         .name = "com.example",
                                         .bytes_per_day = 3 << 20,
                                         .device_bytes_per_day = 5 << 20,
                                         .fsyncs_per_day = 1200,
                                         .fsync_storm = true,
                                         .life_pct_per_year = 0.125},
                                        {.uid = 0}}};
    const std::string text = LatencyText(report, false);
    EXPECT_THAT(text, HasSubstr("probe      write         100 I/Os, mean 5.0 ms, p50 5.0 ms"));
    EXPECT_THAT(text, HasSubstr("  diskstats: no disk\n"));
    EXPECT_THAT(text, testing::Not(HasSubstr("probe:")));
    const std::string table =
            "Largest writers:    written/day     on flash   fsyncs     life/year\n"
            "  uid 10001               3 MiB        5 MiB     1200        0.12 %\n"
            "    fsync storm: it syncs more often than once for each 4 pages that it writes\n"
            "  uid 0                 0 bytes      0 bytes        0       unknown\n";
    EXPECT_THAT(text, testing::EndsWith(table));
    EXPECT_THAT(LatencyText(report, true), HasSubstr("0.12 %  com.example\n"));
    EXPECT_THAT(LatencyText({}, false), HasSubstr("no samples yet"));
}

TEST(LatencyReportTest, UncountedWritesHaveTheirReason) {
    LatencyReport report{.write_path = {.not_counted = "not counted: X"}};
    EXPECT_THAT(LatencyText(report, false), HasSubstr("  Writes on flash are not counted: X\n"));
    report.uid_writes = {{.uid = 0}};
    EXPECT_THAT(LatencyText(report, false),
                HasSubstr(
                        "  Writes on flash are not counted: X; the column shows the bytes that the "
                        "uid wrote\n"));
    EXPECT_EQ("not counted: X", LatencyToJson(report, false)["write_path"]["why"].asString());
}

Offender Repeated() {
    return {.uid = 10102,
            .kind = UidKind::kApp,
            .name = "com.example",
            .budget_bytes = 100 << 20,
            .days_over = 3,
            .today = true,
            .repeats = true,
            .first = {.day = 20'000, .bytes = 120 << 20},
            .last = {.day = 20'009, .bytes = 130 << 20},
            .most = {.day = 20'005, .bytes = 240 << 20}};
}

TEST(LatencyReportTest, WithoutBudgetsNothingIsSaidOfThem) {
    EXPECT_TRUE(LatencyToJson({}, true)["budgets"].isNull());
    EXPECT_THAT(LatencyText({}, true), testing::Not(HasSubstr("udget")));
}

TEST(LatencyReportTest, AnOffenderHasItsDays) {
    Offender once = Repeated();
    once.uid = 999'910'102;
    once.repeats = false;
    once.name.reset();
    const LatencyReport report{
            .budgets = {.limits = {.app_budget_mib = 100}, .offenders = {Repeated(), once}}};
    const std::string head =
            "Budgets a day, on flash: 100 MiB for an app, none for a uid of the system\n";
    const std::string table =
            head +
            "Days over, of 30:                            most                        last\n"
            "  uid 10102         3       240 MiB on 2024-10-09       130 MiB on 2024-10-13\n"
            "    repeat offender: over its budget on 3 days or more of the last 30\n"
            "  uid 999910102     3       240 MiB on 2024-10-09       130 MiB on 2024-10-13\n";
    EXPECT_THAT(LatencyText(report, false), testing::EndsWith(table));
    EXPECT_THAT(LatencyText(report, true), HasSubstr("2024-10-13  com.example\n"));
    EXPECT_THAT(LatencyText({.budgets = {.limits = {.app_budget_mib = 100}}}, true),
                testing::EndsWith(head + "  no uid was over its budget in the last 30 days\n"));

    const Json::Value json = LatencyToJson(report, false)["budgets"];
    EXPECT_EQ(100, json["app_mib"].asInt());
    EXPECT_TRUE(json["system_mib"].isNull());
    const Json::Value& offender = json["offenders"][0];
    EXPECT_TRUE(offender["name"].isNull());
    EXPECT_EQ("app", offender["kind"].asString());
    EXPECT_EQ(3, offender["days_over"].asInt());
    EXPECT_TRUE(offender["repeats"].asBool());
    EXPECT_EQ(20'000 * 86'400, offender["first"]["wall_s"].asInt64());
    EXPECT_EQ(240 << 20, offender["most"]["bytes"].asInt());
    EXPECT_EQ("com.example",
              LatencyToJson(report, true)["budgets"]["offenders"][0]["name"].asString());
}

}  // namespace
}  // namespace storekeeper
