// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "report/latency_report.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <chrono>

#include "base/json_text.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

constexpr int64_t kDaysPerYear = 365;
constexpr double kPercentPerStep = 10;

Json::Value Microseconds(const std::optional<std::chrono::nanoseconds>& time) {
    if (!time.has_value()) return {};
    return Json::Int64{std::chrono::round<std::chrono::microseconds>(*time).count()};
}

Json::Value PointToJson(const LatencyPoint& point) {
    Json::Value json;
    json["wall_s"] = Json::Int64{point.wall.count()};
    json["span_s"] = Json::Int64{point.span.count()};
    json["source"] = LatencySourceName(point.source);
    json["kind"] = IoKindName(point.kind);
    json["count"] = Json::UInt64{point.count};
    json["mean_us"] = Microseconds(point.mean);
    json["p50_us"] = Microseconds(point.p50);
    json["p90_us"] = Microseconds(point.p90);
    json["p99_us"] = Microseconds(point.p99);
    json["p999_us"] = Microseconds(point.p999);
    return json;
}

// "1.2 ms", "85 us", or "-" when it is not known.
std::string TimeText(const Json::Value& microseconds) {
    if (microseconds.isNull()) return "-";
    const double us = microseconds.asDouble();
    if (us < 1000) return StringPrintf("%.0f us", us);
    return us < 100'000 ? StringPrintf("%.1f ms", us / 1000) : StringPrintf("%.0f ms", us / 1000);
}

std::string SampleText(const Json::Value& sample) {
    std::string text = StringPrintf("  %-10s %-8s %8s I/Os, mean %s", sample["source"].asCString(),
                                    sample["kind"].asCString(), sample["count"].asString().c_str(),
                                    TimeText(sample["mean_us"]).c_str());
    if (!sample["p50_us"].isNull()) {
        text += ", p50 " + TimeText(sample["p50_us"]) + ", p90 " + TimeText(sample["p90_us"]) +
                ", p99 " + TimeText(sample["p99_us"]) + ", p99.9 " + TimeText(sample["p999_us"]);
    }
    return text + "\n";
}

}  // namespace

std::vector<UidCost> CostOfUids(std::span<const std::pair<uint32_t, uint64_t>> bytes_per_day,
                                std::optional<uint64_t> bytes_per_step, size_t most) {
    std::vector<UidCost> costs;
    for (const auto& [uid, bytes] : bytes_per_day) {
        UidCost cost{.uid = uid, .bytes_per_day = bytes};
        if (bytes_per_step.value_or(0) != 0) {
            cost.life_pct_per_year = static_cast<double>(bytes) * kDaysPerYear /
                                     static_cast<double>(*bytes_per_step) * kPercentPerStep;
        }
        costs.push_back(cost);
    }
    std::sort(costs.begin(), costs.end(), [](const UidCost& a, const UidCost& b) {
        return a.bytes_per_day != b.bytes_per_day ? a.bytes_per_day > b.bytes_per_day
                                                  : a.uid < b.uid;
    });
    if (costs.size() > most) costs.resize(most);
    return costs;
}

Json::Value LatencyToJson(const LatencyReport& report) {
    Json::Value json;
    json["sources"] = Json::Value(Json::arrayValue);
    for (const LatencySourceState& state : report.sources) {
        Json::Value source;
        source["name"] = LatencySourceName(state.source);
        source["on"] = state.why.empty();
        source["why"] = state.why;
        json["sources"].append(std::move(source));
    }
    json["now"] = Json::Value(Json::arrayValue);
    for (const LatencyPoint& point : report.now) json["now"].append(PointToJson(point));
    json["uid_writes"] = Json::Value(Json::arrayValue);
    for (const UidCost& cost : report.uid_writes) {
        Json::Value row;
        row["uid"] = cost.uid;
        row["bytes_per_day"] = Json::UInt64{cost.bytes_per_day};
        row["life_pct_per_year"] = OrNull(cost.life_pct_per_year);
        json["uid_writes"].append(std::move(row));
    }
    return json;
}

Json::Value SeriesToJson(const std::vector<LatencyPoint>& series) {
    Json::Value json(Json::arrayValue);
    for (const LatencyPoint& point : series) json.append(PointToJson(point));
    return json;
}

std::string LatencyText(const Json::Value& latency) {
    std::string text = "Latency:";
    if (latency["now"].empty()) text += " nothing measured yet";
    text += "\n";
    for (const Json::Value& sample : latency["now"]) text += SampleText(sample);
    for (const Json::Value& source : latency["sources"]) {
        if (!source["on"].asBool()) {
            text += "  " + source["name"].asString() + " is off: " + source["why"].asString() +
                    "\n";
        }
    }
    if (!latency["uid_writes"].empty()) text += "Who writes most:\n";
    for (const Json::Value& row : latency["uid_writes"]) {
        text += StringPrintf("  uid %-8u %8.1f MiB a day", row["uid"].asUInt(),
                             row["bytes_per_day"].asDouble() / (1 << 20));
        if (!row["life_pct_per_year"].isNull()) {
            text += StringPrintf(", %.2f %% of the chip's life a year",
                                 row["life_pct_per_year"].asDouble());
        }
        text += "\n";
    }
    return text;
}

}  // namespace storekeeper
