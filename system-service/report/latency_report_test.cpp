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
    return LatencyPoint::Of(sample);
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
    const Json::Value json = LatencyToJson({.now = {LatencyPoint::Of(sample)}}, false)["now"][0];
    EXPECT_DOUBLE_EQ(3, json["mean_us"].asDouble());
    EXPECT_TRUE(json["p99_us"].isNull());
    EXPECT_TRUE(LatencyToJson({.now = {LatencyPoint{}}}, false)["now"][0]["mean_us"].isNull());
}

TEST(LatencyReportTest, TheTextHasEveryFigureWithItsUnit) {
    LatencyReport report{.sources = {{LatencySource::kProbe, ""}, {LatencySource::kBpf, "no map"}},
                         .now = {Probed()},
                         .uid_writes = {{.uid = 10001,
                                         .bytes_per_day = 3 << 20,
                                         .life_pct_per_year = 0.125}}};
    const std::string text = LatencyText(report, false);
    EXPECT_THAT(text, HasSubstr("probe      write         100 I/Os, mean 5.0 ms, p50 5.0 ms"));
    EXPECT_THAT(text, HasSubstr("BPF: no map\n"));
    EXPECT_THAT(text, testing::Not(HasSubstr("probe:")));
    EXPECT_THAT(text, HasSubstr("uid 10001         3.0 MiB a day, 0.12 % of the chip's life"));
    EXPECT_THAT(LatencyText({}, false), HasSubstr("no samples yet"));
}

TEST(LatencyReportTest, CostsAreSharesOfTheChipsLife) {
    const std::vector<std::pair<uint32_t, uint64_t>> bytes = {{1000, 1 << 20},
                                                              {10001, 2 << 20},
                                                              {0, 1 << 20}};
    // 10 % for each 730 MiB: 2 MiB a day are 10 % a year.
    std::vector<UidCost> costs = CostOfUids(bytes, 730 << 20, 2);
    ASSERT_EQ(2u, costs.size());
    EXPECT_EQ(10001u, costs[0].uid);
    EXPECT_DOUBLE_EQ(10, *costs[0].life_pct_per_year);
    EXPECT_EQ(0u, costs[1].uid);
    EXPECT_FALSE(CostOfUids(bytes, std::nullopt, 2)[0].life_pct_per_year.has_value());
}

}  // namespace
}  // namespace storekeeper
