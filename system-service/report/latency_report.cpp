// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <android-base/stringprintf.h>

#include <algorithm>
#include <chrono>

#include "base/json_text.h"
#include "report/collected.h"

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

Json::Value SourceToJson(const LatencySourceState& state) {
    Json::Value json;
    json["name"] = LatencySourceName(state.source);
    json["on"] = state.why.empty();
    json["why"] = state.why;
    return json;
}

// Why names are missing, whoever asks for them or not.
std::string WhyNoNames(const LatencyReport& report, bool names) {
    return names ? report.names_problem : "for --apps";
}

Json::Value CostToJson(const UidCost& cost, bool names) {
    Json::Value json;
    json["uid"] = cost.uid;
    json["kind"] = UidKindName(cost.kind);
    json["name"] = names ? OrNull(cost.name) : Json::Value();
    json["bytes_per_day"] = Json::UInt64{cost.bytes_per_day};
    json["life_pct_per_year"] = OrNull(cost.life_pct_per_year);
    return json;
}

// "1.2 ms", "85 us", or "-" when it is not known.
std::string TimeText(const std::optional<std::chrono::nanoseconds>& time) {
    if (!time.has_value()) return "-";
    const double us = std::chrono::duration<double, std::micro>(*time).count();
    if (us < 1000) return StringPrintf("%.0f us", us);
    return us < 100'000 ? StringPrintf("%.1f ms", us / 1000) : StringPrintf("%.0f ms", us / 1000);
}

std::string PointText(const LatencyPoint& point) {
    std::string text =
            StringPrintf("  %-10s %-8s %8llu I/Os, mean %s", LatencySourceName(point.source),
                         IoKindName(point.kind), static_cast<unsigned long long>(point.count),
                         TimeText(point.mean).c_str());
    if (point.p50.has_value()) {
        text += ", p50 " + TimeText(point.p50) + ", p90 " + TimeText(point.p90) + ", p99 " +
                TimeText(point.p99) + ", p99.9 " + TimeText(point.p999);
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

Json::Value LatencyToJson(const LatencyReport& report, bool names) {
    Json::Value json;
    json["sources"] = ArrayOf(report.sources, SourceToJson);
    json["now"] = ArrayOf(report.now, PointToJson);
    json["uid_writes"] = ArrayOf(report.uid_writes,
                                 [&](const UidCost& cost) { return CostToJson(cost, names); });
    json["uid_names"]["why"] = WhyNoNames(report, names);
    json["uid_names"]["on"] = WhyNoNames(report, names).empty();
    json["series"] = ArrayOf(report.series, PointToJson);
    return json;
}

std::string LatencyText(const LatencyReport& report, bool names) {
    std::string text = "Latency:";
    if (report.now.empty()) text += " no samples yet";
    text += "\n";
    for (const LatencyPoint& point : report.now) text += PointText(point);
    for (const LatencySourceState& source : report.sources) {
        if (source.why.empty()) continue;
        const std::string name = LatencySourceName(source.source);
        text += "  " + (source.source == LatencySource::kBpf ? "BPF" : name) + ": " + source.why +
                "\n";
    }
    if (!report.uid_writes.empty()) text += "Largest writers:\n";
    for (const UidCost& cost : report.uid_writes) {
        text += StringPrintf("  uid %-8u %8.1f MiB a day", cost.uid,
                             static_cast<double>(cost.bytes_per_day) / (1 << 20));
        if (cost.life_pct_per_year.has_value()) {
            text += StringPrintf(", %.2f %% of the chip's life a year", *cost.life_pct_per_year);
        }
        if (names && cost.name.has_value()) text += ", " + *cost.name;
        text += "\n";
    }
    if (names && !report.names_problem.empty())
        text += "  No names: " + report.names_problem + "\n";
    return text;
}

}  // namespace storekeeper
