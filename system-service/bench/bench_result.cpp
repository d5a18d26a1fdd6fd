// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/bench_result.h"

#include <android-base/stringprintf.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/json_text.h"
#include "base/median.h"
#include "bench/statistics.h"

namespace storekeeper {
namespace {

using android::base::StringAppendF;
using android::base::StringPrintf;

// Significant digits; a double's 17 would be noise in a report.
constexpr double kDigits = 6;

double Rounded(double value) {
    if (value == 0) return 0;
    const double scale = std::pow(10, kDigits - std::ceil(std::log10(std::abs(value))));
    return std::round(value * scale) / scale;
}

Json::Value Tenths(const std::optional<int>& value) {
    return value.has_value() ? Json::Value(*value / 10.0) : Json::Value();
}

double PassedMs(const BenchRepetition& repetition) {
    return std::max(Milliseconds(repetition.passed()), 1.0);
}

constexpr std::pair<const char*, double> kPercentiles[] = {{"p50", 50},
                                                           {"p90", 90},
                                                           {"p99", 99},
                                                           {"p99_9", 99.9}};

// null if nothing was counted.
Json::Value PercentilesToJson(const LatencyBins& bins) {
    Json::Value json;
    for (const auto& [name, percent] : kPercentiles) {
        const auto time = PercentileMs(bins, percent);
        if (time.has_value()) json[name] = Rounded(*time);
    }
    return json;
}

// CPU time, also for each 10^6 bytes.
Json::Value CpuToJson(const BenchRepetition& repetition) {
    const auto cpu = repetition.cpu();
    if (!cpu.has_value()) return {};
    const double mb = Megabytes(repetition.claim.bytes());
    const double ms_per_mb = mb > 0 ? PassedMs(repetition) / 100 / mb : 0;
    Json::Value json;
    json["user_pct"] = Rounded(cpu->user_pct);
    json["system_pct"] = Rounded(cpu->system_pct);
    json["user_ms_per_mb"] = Rounded(cpu->user_pct * ms_per_mb);
    json["system_ms_per_mb"] = Rounded(cpu->system_pct * ms_per_mb);
    return json;
}

Json::Value DiskToJson(const BenchRepetition& repetition) {
    const auto disk = DiskBetween(repetition.before, repetition.after);
    if (!disk.has_value()) return {};
    Json::Value json;
    json["read_bytes"] = Json::UInt64{disk->read_bytes};
    json["written_bytes"] = Json::UInt64{disk->written_bytes};
    json["busy_ms"] = Json::Int64{disk->busy.count()};
    json["flushes"] = OrNull(disk->flushes);
    return json;
}

Json::Value HeatToJson(const BenchRepetition& repetition) {
    Json::Value json;
    json["zone_before_c"] = Tenths(repetition.before.zone_tenths);
    json["zone_after_c"] = Tenths(repetition.after.zone_tenths);
    json["battery_before_c"] = Tenths(repetition.before.battery_tenths);
    json["battery_after_c"] = Tenths(repetition.after.battery_tenths);
    json["cooling"] = StringsToJson(repetition.after.limits.cooling);
    return json;
}

Json::Value ReasonToJson(const BenchReason& reason) {
    Json::Value json;
    json["code"] = reason.code;
    json["level"] = BenchReasonLevelName(reason.level);
    json["text"] = reason.text;
    return json;
}

Json::Value RepetitionToJson(const BenchRepetition& repetition) {
    Json::Value json;
    json["verdict"] = BenchVerdictName(repetition.verdict());
    json["reasons"] = ArrayOf(repetition.reasons, ReasonToJson);
    json["mb_per_s"] = Rounded(repetition.mb_per_s());
    json["iops"] = Rounded(repetition.iops());
    json["time_ms"] = Rounded(Milliseconds(repetition.claim.time));
    json["passed_ms"] = Rounded(Milliseconds(repetition.passed()));
    json["read_bytes"] = Json::UInt64{repetition.claim.read_bytes};
    json["written_bytes"] = Json::UInt64{repetition.claim.written_bytes};
    json["ios"] = Json::UInt64{repetition.ios};
    json["syncs"] = Json::UInt64{repetition.claim.syncs};
    json["latency_ms"] = PercentilesToJson(repetition.latency);
    json["sync_latency_ms"] = PercentilesToJson(repetition.sync_latency);
    json["cpu"] = CpuToJson(repetition);
    json["disk"] = DiskToJson(repetition);
    json["heat"] = HeatToJson(repetition);
    return json;
}

Json::Value SummaryOf(const std::vector<double>& values) {
    if (values.empty()) return {};
    Json::Value json;
    json["median"] = Rounded(*Median(values));
    json["lower"] = json["upper"] = Json::Value();
    if (values.size() >= kMinRepetitions) {
        const Interval interval = MedianInterval(values);
        json["lower"] = Rounded(interval.lower);
        json["upper"] = Rounded(interval.upper);
    }
    json["n"] = Json::UInt64{values.size()};
    return json;
}

Json::Value FigureToJson(const BenchFigure& figure) {
    Json::Value json;
    json["name"] = figure.job.name;
    json["verdict"] = BenchVerdictName(figure.verdict());
    json["job"] = Json::Value(Json::objectValue);
    for (const auto& [name, value] : figure.job.options) json["job"][name] = value;
    for (const auto& [name, values] : figure.values()) json["summary"][name] = SummaryOf(values);
    json["repetitions"] = ArrayOf(figure.repetitions, RepetitionToJson);
    return json;
}

Json::Value PlaceToJson(const BenchResult& result) {
    const BenchPlace& place = result.place;
    Json::Value json;
    json["folder"] = result.folder;
    json["mount_point"] = place.mount.mount_point;
    json["file_system"] = place.mount.type;
    json["options"] = place.mount.mount_options + "," + place.mount.options;
    json["disk"] = TextOrNull(place.disk);
    json["volatile_cache"] = OrNull(place.volatile_cache);
    // A matrix has at least one job, which runs at least once.
    const DeviceState& state = result.figures.front().repetitions.front().before;
    json["size_bytes"] = OrNull(state.size_bytes);
    json["free_bytes"] = OrNull(state.free_bytes);
    return json;
}

// One line of the table.
constexpr char kRow[] = "%-16s %-8s %9s %9s %9s %9s %9s %9s %8s %14s %8s %6s\n";

// The repetition for values without a median of their own: the middle one of those that count, or
// of all if none counts.
const BenchRepetition& MiddleRepetition(const std::vector<BenchRepetition>& repetitions) {
    std::vector<const BenchRepetition*> counted;
    for (const BenchRepetition& repetition : repetitions) {
        if (repetition.verdict() != BenchVerdict::kInvalid) counted.push_back(&repetition);
    }
    return counted.empty() ? repetitions[repetitions.size() / 2] : *counted[counted.size() / 2];
}

void AppendFigure(const BenchFigure& figure, std::string* text) {
    const BenchRepetition& typical = MiddleRepetition(figure.repetitions);
    const auto cpu = typical.cpu();
    const auto disk = DiskBetween(typical.before, typical.after);
    std::optional<double> degrees = typical.after.zone_tenths;
    if (degrees.has_value()) *degrees /= 10;
    const auto values = figure.values();
    const auto median = [&values](const char* name) {
        return NumberText(Median(values.at(name)), "%.3f");
    };
    StringAppendF(text, kRow, figure.job.name.c_str(), BenchVerdictName(figure.verdict()).c_str(),
                  median("mb_per_s").c_str(), NumberText(typical.iops(), "%.1f").c_str(),
                  median("p50_ms").c_str(), median("p90_ms").c_str(), median("p99_ms").c_str(),
                  median("p99_9_ms").c_str(),
                  cpu.has_value()
                          ? StringPrintf("%.0f/%.0f", cpu->user_pct, cpu->system_pct).c_str()
                          : "-",
                  disk.has_value() ? StringPrintf("%.1f/%.1f", Megabytes(disk->read_bytes),
                                                  Megabytes(disk->written_bytes))
                                             .c_str()
                                   : "-",
                  disk.has_value() ? NumberText(disk->flushes, "%.0f").c_str() : "-",
                  NumberText(degrees, "%.1f").c_str());
}

// Appends each reason once, the worst level first, with the number of repetitions that have it. The
// text is that of the first.
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

}  // namespace

std::string NumberText(std::optional<double> value, const char* format) {
    return value.has_value() ? StringPrintf(format, *value) : "-";
}

std::optional<BenchRepetition::Cpu> BenchRepetition::cpu() const {
    if (!before.cpu.has_value() || !after.cpu.has_value()) return std::nullopt;
    if (after.cpu->user < before.cpu->user || after.cpu->system < before.cpu->system) {
        return std::nullopt;
    }
    const double tick_pct = 1e5 / static_cast<double>(sysconf(_SC_CLK_TCK)) / PassedMs(*this);
    return Cpu{.user_pct = static_cast<double>(after.cpu->user - before.cpu->user) * tick_pct,
               .system_pct =
                       static_cast<double>(after.cpu->system - before.cpu->system) * tick_pct};
}

std::map<std::string, std::vector<double>> BenchFigure::values() const {
    std::map<std::string, std::vector<double>> values;
    for (const BenchRepetition& repetition : repetitions) {
        const bool counts = repetition.verdict() != BenchVerdict::kInvalid;
        const auto add = [&](const std::string& name, std::optional<double> value) {
            std::vector<double>& all = values[name];
            if (counts && value.has_value()) all.push_back(*value);
        };
        add("mb_per_s", repetition.mb_per_s());
        for (const auto& [name, percent] : kPercentiles) {
            add(std::string(name) + "_ms", PercentileMs(repetition.latency, percent));
        }
        add("sync_p50_ms", PercentileMs(repetition.sync_latency, 50));
    }
    return values;
}

BenchVerdict BenchFigure::verdict() const {
    std::multiset<BenchVerdict> verdicts;
    for (const BenchRepetition& repetition : repetitions) verdicts.insert(repetition.verdict());
    const size_t invalid = verdicts.count(BenchVerdict::kInvalid);
    if (invalid * 2 >= verdicts.size()) return BenchVerdict::kInvalid;
    verdicts.erase(BenchVerdict::kInvalid);
    return *verdicts.rbegin();
}

Json::Value BenchToJson(const BenchResult& result) {
    Json::Value json;
    json["schema"] = "storekeeper.bench";
    json["version"] = 1;
    json["made_wall_s"] = Json::Int64{result.made.count()};
    json["matrix"] = result.matrix;
    json["fio"]["version"] = result.fio_version;
    json["fio"]["overhead_ms"] = Rounded(Milliseconds(result.place.overhead));
    json["device"]["model"] = TextOrNull(result.model);
    json["device"]["build"] = TextOrNull(result.build);
    json["place"] = PlaceToJson(result);
    json["figures"] = ArrayOf(result.figures, FigureToJson);
    return json;
}

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

}  // namespace storekeeper
