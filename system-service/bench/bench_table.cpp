// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/bench_table.h"

#include <android-base/stringprintf.h>

#include <map>
#include <set>
#include <vector>

#include "bench/honesty.h"

namespace storekeeper {
namespace {

using android::base::StringAppendF;
using android::base::StringPrintf;
using std::chrono::duration;
using std::chrono::nanoseconds;

// What has no summary of its own is taken from the middle one of those that count; of all when none
// does.
const Json::Value& Typical(const Json::Value& figure) {
    const Json::Value& repetitions = figure["repetitions"];
    std::vector<const Json::Value*> counted;
    for (const Json::Value& repetition : repetitions) {
        if (repetition["verdict"] != "INVALID") counted.push_back(&repetition);
    }
    return counted.empty() ? repetitions[repetitions.size() / 2] : *counted[counted.size() / 2];
}

std::string Number(const Json::Value& value, const char* format) {
    return value.isNumeric() ? StringPrintf(format, value.asDouble()) : "-";
}

std::string MedianOf(const Json::Value& figure, const char* metric, const char* format) {
    const Json::Value& summary = figure["summary"][metric];
    return summary.isObject() ? Number(summary["median"], format) : "-";
}

std::string Cpu(const Json::Value& repetition) {
    const Json::Value& cpu = repetition["cpu"];
    if (!cpu.isObject()) return "-";
    return StringPrintf("%.0f/%.0f", cpu["user_pct"].asDouble(), cpu["system_pct"].asDouble());
}

std::string DiskMb(const Json::Value& repetition) {
    const Json::Value& disk = repetition["disk"];
    if (!disk.isObject()) return "-";
    return StringPrintf("%.1f/%.1f", disk["read_bytes"].asDouble() / 1e6,
                        disk["written_bytes"].asDouble() / 1e6);
}

void AppendFigure(const Json::Value& figure, std::string* text) {
    const Json::Value& typical = Typical(figure);
    const Json::Value& disk = typical["disk"];
    StringAppendF(text, "%-16s %-8s %9s %9s %9s %9s %9s %9s %8s %14s %8s %6s\n",
                  figure["name"].asCString(), figure["verdict"].asCString(),
                  MedianOf(figure, "mb_per_s", "%.3f").c_str(),
                  Number(typical["iops"], "%.1f").c_str(),
                  MedianOf(figure, "p50_ms", "%.3f").c_str(),
                  MedianOf(figure, "p90_ms", "%.3f").c_str(),
                  MedianOf(figure, "p99_ms", "%.3f").c_str(),
                  MedianOf(figure, "p99_9_ms", "%.3f").c_str(), Cpu(typical).c_str(),
                  DiskMb(typical).c_str(),
                  disk.isObject() ? Number(disk["flushes"], "%.0f").c_str() : "-",
                  Number(typical["heat"]["zone_after_c"], "%.1f").c_str());
}

// Each reason of a level once, the worst level first, with how many repetitions have it; the text
// is that of the first.
void AppendReasons(const Json::Value& figure, std::string* text) {
    using Level = BenchReason::Level;
    for (const Level level : {Level::kInvalid, Level::kSuspect, Level::kNote}) {
        const std::string name = BenchReasonLevelName(level);
        std::map<std::string, std::vector<const Json::Value*>> seen;
        for (const Json::Value& repetition : figure["repetitions"]) {
            std::set<std::string> here;
            for (const Json::Value& reason : repetition["reasons"]) {
                const std::string code = reason["code"].asString();
                if (reason["level"] == name && here.insert(code).second) {
                    seen[code].push_back(&reason);
                }
            }
        }
        for (const auto& [code, reasons] : seen) {
            StringAppendF(text, "  %s: %s %s (%zu of %u): %s\n", figure["name"].asCString(),
                          name.c_str(), code.c_str(), reasons.size(), figure["repetitions"].size(),
                          (*reasons.front())["text"].asCString());
        }
    }
}

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

void AppendRow(const Json::Value& row, std::string* text) {
    StringAppendF(text, "%10.0f writes %9s IOPS   p50 %s  p90 %s  p99 %s ms\n",
                  row["writes"].asDouble(), Number(row["iops"], "%.1f").c_str(),
                  Number(row["p50_ms"], "%.3f").c_str(), Number(row["p90_ms"], "%.3f").c_str(),
                  Number(row["p99_ms"], "%.3f").c_str());
}

}  // namespace

std::string BenchToText(const Json::Value& result) {
    const Json::Value& place = result["place"];
    std::string text =
            StringPrintf("%s: %s (%s) on %s, %s, matrix %s\n", place["folder"].asCString(),
                         place["mount_point"].asCString(), place["file_system"].asCString(),
                         place["disk"].isString() ? place["disk"].asCString() : "no disk",
                         result["fio"]["version"].asCString(), result["matrix"].asCString());
    StringAppendF(&text, "%-16s %-8s %9s %9s %9s %9s %9s %9s %8s %14s %8s %6s\n", "figure",
                  "verdict", "MB/s", "IOPS", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms", "CPU u/s%",
                  "disk MB r/w", "flushes", "C");
    for (const Json::Value& figure : result["figures"]) AppendFigure(figure, &text);
    for (const Json::Value& figure : result["figures"]) AppendReasons(figure, &text);
    return text;
}

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
