// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/bench_result.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/json_text.h"
#include "base/median.h"
#include "bench/statistics.h"

namespace storekeeper {
namespace {

using std::chrono::duration;
using std::chrono::nanoseconds;

// Digits that mean something; a double's 17 are noise in a report.
constexpr double kDigits = 6;

double Rounded(double value) {
    if (value == 0 || !std::isfinite(value)) return 0;
    const double scale = std::pow(10, kDigits - std::ceil(std::log10(std::abs(value))));
    return std::round(value * scale) / scale;
}

Json::Value Tenths(const std::optional<int>& value) {
    return value.has_value() ? Json::Value(*value / 10.0) : Json::Value();
}

Json::Value PercentilesToJson(const LatencyBins& bins) {
    if (bins.count() == 0) return {};
    Json::Value json;
    json["p50"] = Rounded(Milliseconds(*bins.Percentile(50)));
    json["p90"] = Rounded(Milliseconds(*bins.Percentile(90)));
    json["p99"] = Rounded(Milliseconds(*bins.Percentile(99)));
    json["p99_9"] = Rounded(Milliseconds(*bins.Percentile(99.9)));
    return json;
}

// What all processors did meanwhile, in per cent of one, and for each 10^6 bytes.
Json::Value CpuToJson(const BenchRepetition& repetition) {
    const auto& before = repetition.before.cpu;
    const auto& after = repetition.after.cpu;
    if (!before.has_value() || !after.has_value()) return {};
    // Counters that went back mean nothing.
    if (after->user < before->user || after->system < before->system) return {};
    const double tick_ms = 1000.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    const double user = static_cast<double>(after->user - before->user) * tick_ms;
    const double system = static_cast<double>(after->system - before->system) * tick_ms;
    const double passed = Milliseconds(repetition.after.clocks.raw - repetition.before.clocks.raw);
    const double mb =
            static_cast<double>(repetition.claim.read_bytes + repetition.claim.written_bytes) / 1e6;
    Json::Value json;
    json["user_pct"] = Rounded(user / std::max(passed, 1.0) * 100);
    json["system_pct"] = Rounded(system / std::max(passed, 1.0) * 100);
    json["user_ms_per_mb"] = Rounded(mb > 0 ? user / mb : 0);
    json["system_ms_per_mb"] = Rounded(mb > 0 ? system / mb : 0);
    return json;
}

Json::Value DiskToJson(const BenchRepetition& repetition) {
    const auto& before = repetition.before.disk;
    const auto& after = repetition.after.disk;
    if (!before.has_value() || !after.has_value()) return {};
    if (after->read_bytes < before->read_bytes || after->written_bytes < before->written_bytes ||
        after->busy < before->busy) {
        return {};
    }
    Json::Value json;
    json["read_bytes"] = Json::UInt64{after->read_bytes - before->read_bytes};
    json["written_bytes"] = Json::UInt64{after->written_bytes - before->written_bytes};
    json["busy_ms"] = Json::Int64{(after->busy - before->busy).count()};
    json["flushes"] = before->flushes.has_value() && after->flushes.has_value() &&
                                      *after->flushes >= *before->flushes
                              ? Json::Value(Json::UInt64{*after->flushes - *before->flushes})
                              : Json::Value();
    return json;
}

Json::Value HeatToJson(const BenchRepetition& repetition) {
    Json::Value json;
    json["zone_before_c"] = Tenths(repetition.before.zone_tenths);
    json["zone_after_c"] = Tenths(repetition.after.zone_tenths);
    json["battery_before_c"] = Tenths(repetition.before.battery_tenths);
    json["battery_after_c"] = Tenths(repetition.after.battery_tenths);
    json["cooling"] = Json::Value(Json::arrayValue);
    for (const std::string& device : repetition.after.limits.cooling)
        json["cooling"].append(device);
    return json;
}

Json::Value RepetitionToJson(const BenchRepetition& repetition) {
    Json::Value json;
    json["verdict"] = BenchVerdictName(repetition.verdict());
    json["reasons"] = Json::Value(Json::arrayValue);
    for (const BenchReason& reason : repetition.reasons) {
        Json::Value one;
        one["code"] = reason.code;
        one["level"] = BenchReasonLevelName(reason.level);
        one["text"] = reason.text;
        json["reasons"].append(one);
    }
    json["mb_per_s"] = Rounded(repetition.mb_per_s());
    json["iops"] = Rounded(repetition.iops());
    json["time_ms"] = Rounded(Milliseconds(repetition.claim.time));
    json["passed_ms"] =
            Rounded(Milliseconds(repetition.after.clocks.raw - repetition.before.clocks.raw));
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

Json::Value SummaryToJson(const BenchFigure& figure) {
    std::vector<double> rate;
    std::map<std::string, std::vector<double>> latency;
    for (const BenchRepetition& repetition : figure.repetitions) {
        if (repetition.verdict() == BenchVerdict::kInvalid) continue;
        rate.push_back(repetition.mb_per_s());
        for (const auto& [name, percent] : std::map<std::string, double>{{"p50_ms", 50},
                                                                         {"p90_ms", 90},
                                                                         {"p99_ms", 99},
                                                                         {"p99_9_ms", 99.9}}) {
            const auto time = repetition.latency.Percentile(percent);
            if (time.has_value()) latency[name].push_back(Milliseconds(*time));
        }
        const auto sync = repetition.sync_latency.Percentile(50);
        if (sync.has_value()) latency["sync_p50_ms"].push_back(Milliseconds(*sync));
    }
    Json::Value json;
    json["mb_per_s"] = SummaryOf(rate);
    for (const char* name : {"p50_ms", "p90_ms", "p99_ms", "p99_9_ms", "sync_p50_ms"}) {
        json[name] = SummaryOf(latency[name]);
    }
    return json;
}

Json::Value FigureToJson(const BenchFigure& figure) {
    Json::Value json;
    json["name"] = figure.job.name;
    json["verdict"] = BenchVerdictName(figure.verdict());
    json["job"] = Json::Value(Json::objectValue);
    for (const auto& [name, value] : figure.job.options) json["job"][name] = value;
    json["summary"] = SummaryToJson(figure);
    json["repetitions"] = Json::Value(Json::arrayValue);
    for (const BenchRepetition& repetition : figure.repetitions) {
        json["repetitions"].append(RepetitionToJson(repetition));
    }
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
    json["size_bytes"] = Json::Value();
    json["free_bytes"] = Json::Value();
    if (!result.figures.empty() && !result.figures.front().repetitions.empty()) {
        const DeviceState& state = result.figures.front().repetitions.front().before;
        json["size_bytes"] = OrNull(state.size_bytes);
        json["free_bytes"] = OrNull(state.free_bytes);
    }
    return json;
}

}  // namespace

double BenchRepetition::mb_per_s() const {
    if (claim.time <= nanoseconds(0)) return 0;
    return static_cast<double>(claim.read_bytes + claim.written_bytes) / 1e6 /
           duration<double>(claim.time).count();
}

double BenchRepetition::iops() const {
    if (claim.time <= nanoseconds(0)) return 0;
    return static_cast<double>(ios) / duration<double>(claim.time).count();
}

BenchVerdict BenchFigure::verdict() const {
    size_t invalid = 0;
    BenchVerdict worst = BenchVerdict::kValid;
    for (const BenchRepetition& repetition : repetitions) {
        const BenchVerdict verdict = repetition.verdict();
        if (verdict == BenchVerdict::kInvalid) {
            ++invalid;
        } else {
            worst = std::max(worst, verdict);
        }
    }
    return invalid * 2 >= repetitions.size() ? BenchVerdict::kInvalid : worst;
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
    json["figures"] = Json::Value(Json::arrayValue);
    for (const BenchFigure& figure : result.figures) json["figures"].append(FigureToJson(figure));
    return json;
}

}  // namespace storekeeper
