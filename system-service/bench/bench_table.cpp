// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/bench_table.h"

#include <android-base/stringprintf.h>

#include <map>
#include <set>
#include <vector>

#include "base/json_text.h"
#include "base/median.h"
#include "bench/honesty.h"

namespace storekeeper {
namespace {

using android::base::StringAppendF;
using android::base::StringPrintf;
using std::chrono::duration;
using std::chrono::nanoseconds;

// One of the table's lines.
constexpr char kRow[] = "%-16s %-8s %9s %9s %9s %9s %9s %9s %8s %14s %8s %6s\n";

double Mb(uint64_t bytes) {
    return static_cast<double>(bytes) / 1e6;
}

// What has no median of its own is taken from the middle one of those that count; of all when none
// does.
BenchRepetition Typical(const std::vector<BenchRepetition>& repetitions) {
    std::vector<const BenchRepetition*> counted;
    for (const BenchRepetition& repetition : repetitions) {
        if (repetition.verdict() != BenchVerdict::kInvalid) counted.push_back(&repetition);
    }
    if (!counted.empty()) return *counted[counted.size() / 2];
    return repetitions.empty() ? BenchRepetition() : repetitions[repetitions.size() / 2];
}

std::string Number(std::optional<double> value, const char* format) {
    return value.has_value() ? StringPrintf(format, *value) : "-";
}

void AppendFigure(const BenchFigure& figure, std::string* text) {
    const BenchRepetition typical = Typical(figure.repetitions);
    const auto cpu = typical.cpu();
    const auto disk = typical.disk();
    std::optional<double> degrees = typical.after.zone_tenths;
    if (degrees.has_value()) *degrees /= 10;
    const auto values = figure.values();
    const auto median = [&values](const char* name) {
        return Number(Median(values.at(name)), "%.3f");
    };
    StringAppendF(text, kRow, figure.job.name.c_str(), BenchVerdictName(figure.verdict()).c_str(),
                  median("mb_per_s").c_str(), Number(typical.iops(), "%.1f").c_str(),
                  median("p50_ms").c_str(), median("p90_ms").c_str(), median("p99_ms").c_str(),
                  median("p99_9_ms").c_str(),
                  cpu.has_value()
                          ? StringPrintf("%.0f/%.0f", cpu->user_pct, cpu->system_pct).c_str()
                          : "-",
                  disk.has_value()
                          ? StringPrintf("%.1f/%.1f", Mb(disk->read_bytes), Mb(disk->written_bytes))
                                    .c_str()
                          : "-",
                  disk.has_value() ? Number(disk->flushes, "%.0f").c_str() : "-",
                  Number(degrees, "%.1f").c_str());
}

// Each reason of a level once, the worst level first, with how many repetitions have it; the text
// is that of the first.
void AppendReasons(const BenchFigure& figure, std::string* text) {
    using Level = BenchReason::Level;
    for (const Level level : {Level::kInvalid, Level::kSuspect, Level::kNote}) {
        std::map<std::string, std::vector<const BenchReason*>> seen;
        for (const BenchRepetition& repetition : figure.repetitions) {
            std::set<std::string> here;
            for (const BenchReason& reason : repetition.reasons) {
                if (reason.level == level && here.insert(reason.code).second) {
                    seen[reason.code].push_back(&reason);
                }
            }
        }
        for (const auto& [code, reasons] : seen) {
            StringAppendF(text, "  %s: %s %s (%zu of %zu): %s\n", figure.job.name.c_str(),
                          BenchReasonLevelName(level).c_str(), code.c_str(), reasons.size(),
                          figure.repetitions.size(), reasons.front()->text.c_str());
        }
    }
}

// Absent for no I/O.
std::optional<double> PercentileMs(const Histogram& latency, double percent) {
    const auto time = latency.Percentile(percent);
    if (!time.has_value()) return std::nullopt;
    return Milliseconds(*time);
}

std::optional<double> Rate(double amount, nanoseconds time) {
    const double seconds = duration<double>(time).count();
    if (amount <= 0 || seconds <= 0) return std::nullopt;
    return amount / seconds;
}

std::optional<double> FillRate(const AgeOutcome& outcome) {
    return Rate(Mb(outcome.filled_bytes), outcome.fill_time);
}

// All samples in one.
AgeSample ChurnOf(const AgeOutcome& outcome) {
    AgeSample all =
            {.writes = outcome.churned,
             .iops = Rate(static_cast<double>(outcome.churned), outcome.churn_time).value_or(0)};
    for (const AgeSample& sample : outcome.samples) all.latency.Merge(sample.latency);
    return all;
}

Json::Value SampleToJson(const AgeSample& sample) {
    Json::Value json;
    json["writes"] = Json::UInt64{sample.writes};
    json["iops"] = sample.iops > 0 ? Json::Value(sample.iops) : Json::Value();
    json["p50_ms"] = OrNull(PercentileMs(sample.latency, 50));
    json["p90_ms"] = OrNull(PercentileMs(sample.latency, 90));
    json["p99_ms"] = OrNull(PercentileMs(sample.latency, 99));
    return json;
}

void AppendSample(const AgeSample& sample, std::string* text) {
    const auto time = [&sample](double percent) {
        return Number(PercentileMs(sample.latency, percent), "%.3f");
    };
    StringAppendF(text, "%10.0f writes %9s IOPS   p50 %s  p90 %s  p99 %s ms\n",
                  static_cast<double>(sample.writes),
                  sample.iops > 0 ? StringPrintf("%.1f", sample.iops).c_str() : "-",
                  time(50).c_str(), time(90).c_str(), time(99).c_str());
}

}  // namespace

std::string BenchToText(const BenchResult& result) {
    const BenchPlace& place = result.place;
    std::string text = StringPrintf("%s: %s (%s) on %s, %s, matrix %s\n", result.folder.c_str(),
                                    place.mount.mount_point.c_str(), place.mount.type.c_str(),
                                    place.disk.empty() ? "no disk" : place.disk.c_str(),
                                    result.fio_version.c_str(), result.matrix.c_str());
    StringAppendF(&text, kRow, "figure", "verdict", "MB/s", "IOPS", "p50 ms", "p90 ms", "p99 ms",
                  "p99.9 ms", "CPU u/s%", "disk MB r/w", "flushes", "C");
    for (const BenchFigure& figure : result.figures) AppendFigure(figure, &text);
    for (const BenchFigure& figure : result.figures) AppendReasons(figure, &text);
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
    json["fill_mb_per_s"] = OrNull(FillRate(outcome));
    json["churn_bytes"] = Json::UInt64{outcome.churn_bytes};
    json["samples"] = Json::Value(Json::arrayValue);
    for (const AgeSample& sample : outcome.samples) json["samples"].append(SampleToJson(sample));
    json["churn"] = SampleToJson(ChurnOf(outcome));
    return json;
}

std::string AgeToText(const AgeOutcome& outcome, const std::string& folder, bool kept) {
    std::string text = StringPrintf(
            "%s: %.1f MB written at %s MB/s, %.1f MB found, %.1f MB were free "
            "then; its files %s\n",
            folder.c_str(), Mb(outcome.filled_bytes), Number(FillRate(outcome), "%.2f").c_str(),
            Mb(outcome.found_bytes), Mb(outcome.free_bytes), kept ? "stay" : "are removed");
    if (!outcome.direct) text += "no O_DIRECT here: each write was synced instead\n";
    for (const AgeSample& sample : outcome.samples) AppendSample(sample, &text);
    if (outcome.churned > 0) {
        text += "in all\n";
        AppendSample(ChurnOf(outcome), &text);
    }
    return text;
}

}  // namespace storekeeper
