// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/age_report.h"

#include <android-base/stringprintf.h>

namespace storekeeper {
namespace {

using android::base::StringAppendF;
using android::base::StringPrintf;
using std::chrono::duration;
using std::chrono::nanoseconds;

// Absent for no I/O.
Json::Value PercentileMs(const Histogram& latency, double percent) {
    const auto time = latency.Percentile(percent);
    if (!time.has_value()) return {};
    return duration<double, std::milli>(*time).count();
}

Json::Value Rate(double amount, nanoseconds time) {
    const double seconds = duration<double>(time).count();
    return amount > 0 && seconds > 0 ? Json::Value(amount / seconds) : Json::Value();
}

void AddLatency(const Histogram& latency, Json::Value* json) {
    (*json)["p50_ms"] = PercentileMs(latency, 50);
    (*json)["p90_ms"] = PercentileMs(latency, 90);
    (*json)["p99_ms"] = PercentileMs(latency, 99);
}

std::string Number(const Json::Value& value, const char* format) {
    return value.isNumeric() ? StringPrintf(format, value.asDouble()) : "-";
}

void AppendRow(const Json::Value& row, std::string* text) {
    StringAppendF(text, "%10.0f writes %9s IOPS   p50 %s  p90 %s  p99 %s ms\n",
                  row["writes"].asDouble(), Number(row["iops"], "%.1f").c_str(),
                  Number(row["p50_ms"], "%.3f").c_str(), Number(row["p90_ms"], "%.3f").c_str(),
                  Number(row["p99_ms"], "%.3f").c_str());
}

}  // namespace

Json::Value AgeToJson(const AgeOutcome& outcome, const std::string& folder, bool kept) {
    Json::Value json;
    json["schema"] = "storekeeper.bench_age";
    json["version"] = 1;
    json["folder"] = folder;
    json["kept"] = kept;
    json["direct"] = outcome.direct;
    json["stopped"] = outcome.stopped;
    json["free_bytes"] = Json::UInt64{outcome.free_bytes};
    json["found_bytes"] = Json::UInt64{outcome.found_bytes};
    json["filled_bytes"] = Json::UInt64{outcome.filled_bytes};
    json["fill_mb_per_s"] =
            Rate(static_cast<double>(outcome.filled_bytes) / 1e6, outcome.fill_time);
    json["churn_bytes"] = Json::UInt64{outcome.churn_bytes};
    Histogram all;
    json["samples"] = Json::Value(Json::arrayValue);
    for (const AgeSample& sample : outcome.samples) {
        all.Merge(sample.latency);
        Json::Value one;
        one["writes"] = Json::UInt64{sample.writes};
        one["iops"] = sample.iops;
        AddLatency(sample.latency, &one);
        json["samples"].append(one);
    }
    json["churn"]["writes"] = Json::UInt64{outcome.churned};
    json["churn"]["iops"] = Rate(static_cast<double>(outcome.churned), outcome.churn_time);
    AddLatency(all, &json["churn"]);
    return json;
}

std::string AgeToText(const Json::Value& age) {
    std::string text = StringPrintf(
            "%s: %.1f MB written at %s MB/s, %.1f MB found, %.1f MB were free then%s\n",
            age["folder"].asCString(), age["filled_bytes"].asDouble() / 1e6,
            Number(age["fill_mb_per_s"], "%.2f").c_str(), age["found_bytes"].asDouble() / 1e6,
            age["free_bytes"].asDouble() / 1e6,
            age["kept"].asBool() ? "; its files stay" : "; its files are removed");
    if (!age["direct"].asBool()) text += "no O_DIRECT here: each write was synced instead\n";
    for (const Json::Value& sample : age["samples"]) AppendRow(sample, &text);
    if (age["churn"]["writes"].asUInt64() > 0) {
        text += "in all\n";
        AppendRow(age["churn"], &text);
    }
    return text;
}

}  // namespace storekeeper
