// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/comparison.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "base/median.h"
#include "base/try.h"
#include "bench/statistics.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringPrintf;

struct Metric {
    const char* name;
    // Place in a repetition: latency_ms.p50.
    const char* object;
    const char* key;
    bool more_is_faster;
};

constexpr Metric kMetrics[] = {
        {"mb_per_s", "", "mb_per_s", true},
        {"p50_ms", "latency_ms", "p50", false},
        {"p99_ms", "latency_ms", "p99", false},
        {"sync_p50_ms", "sync_latency_ms", "p50", false},
};

// Larger than any rate or time of a disk, and far below an overflow of sums and quotients.
constexpr double kGreatest = 1e15;

// The repetitions of a figure that count.
struct Values {
    Json::Value job;
    std::map<std::string, std::vector<double>> of;  // values by metric
    size_t counted = 0;
    size_t invalid = 0;
    bool suspect = false;
    bool refused = false;  // the figure as a whole is INVALID
};

// A repetition without latencies has null for them.
Result<void> AddMetric(const Json::Value& repetition, const Metric& metric, Values* values) {
    const bool is_nested = *metric.object != '\0';
    const Json::Value& object = is_nested ? repetition[metric.object] : repetition;
    if (object.isNull()) return {};
    if (!object.isObject()) return Error() << "'" << metric.object << "' is not an object";
    const Json::Value& value = object[metric.key];
    const double number = value.isNumeric() ? value.asDouble() : -1;
    // The negation also refuses NaN.
    if (!(number >= 0 && number <= kGreatest)) {
        return Error() << "a repetition's " << metric.name << " is not a number from 0 to "
                       << kGreatest;
    }
    values->of[metric.name].push_back(number);
    return {};
}

Result<Values> ValuesOf(const Json::Value& figure) {
    Values values;
    const Json::Value& repetitions = figure["repetitions"];
    if (!repetitions.isArray()) return Error() << "a figure has no repetitions";
    if (!figure["verdict"].isString()) return Error() << "a figure has no verdict";
    values.job = figure["job"];
    values.refused = figure["verdict"] == "INVALID";
    for (const Json::Value& repetition : repetitions) {
        if (!repetition.isObject() || !repetition["verdict"].isString()) {
            return Error() << "a repetition has no verdict";
        }
        const std::string verdict = repetition["verdict"].asString();
        if (verdict == "INVALID") {
            ++values.invalid;
            continue;
        }
        if (verdict != "VALID" && verdict != "SUSPECT") return Error() << "an unknown verdict";
        ++values.counted;
        values.suspect = values.suspect || verdict == "SUSPECT";
        for (const Metric& metric : kMetrics) TRY(AddMetric(repetition, metric, &values));
    }
    return values;
}

Result<std::map<std::string, Values>> FiguresOf(const Json::Value& result) {
    if (!result.isObject() || result["schema"] != "storekeeper.bench") {
        return Error() << "it is not a result of storekeeper_bench";
    }
    if (result["version"] != 1) return Error() << "its version is not 1";
    if (!result["figures"].isArray()) return Error() << "it has no figures";
    std::map<std::string, Values> figures;
    for (const Json::Value& figure : result["figures"]) {
        if (!figure.isObject() || !figure["name"].isString()) {
            return Error() << "a figure has no name";
        }
        figures[figure["name"].asString()] = TRY(ValuesOf(figure));
    }
    return figures;
}

std::string ProblemOf(const Values& before, const Values& after) {
    if (before.job != after.job) return "their jobs differ: measure both with the same matrix";
    for (const auto& [which, values] : {std::pair{"first", &before}, std::pair{"second", &after}}) {
        if (values->refused && values->counted >= kMinRepetitions) {
            return StringPrintf("the %s is INVALID: half of its repetitions are", which);
        }
        if (values->counted >= kMinRepetitions) continue;
        return StringPrintf(
                "the %s has %zu repetitions that count (%zu are INVALID), %zu are needed", which,
                values->counted, values->invalid, kMinRepetitions);
    }
    return "";
}

Comparison::Figure CompareFigure(const std::string& name, Values before, Values after) {
    Comparison::Figure figure{.name = name,
                              .suspect = before.suspect || after.suspect,
                              .problem = ProblemOf(before, after)};
    if (!figure.problem.empty()) return figure;
    for (const Metric& metric : kMetrics) {
        const std::vector<double>& was = before.of[metric.name];
        const std::vector<double>& is = after.of[metric.name];
        const auto change = CompareMedians(was, is, metric.more_is_faster);
        if (!change.has_value()) continue;
        figure.metrics.push_back({.name = metric.name,
                                  .before = *Median(was),
                                  .after = *Median(is),
                                  .change = *change});
    }
    if (figure.metrics.empty()) figure.problem = "it has no figures that could be compared";
    return figure;
}

// The names that `other` does not have.
std::vector<std::string> OnlyIn(const std::map<std::string, Values>& figures,
                                const std::map<std::string, Values>& other) {
    std::vector<std::string> names;
    for (const auto& [name, values] : figures) {
        if (other.count(name) == 0) names.push_back(name);
    }
    return names;
}

Json::Value FigureToJson(const Comparison::Figure& figure) {
    Json::Value json;
    json["name"] = figure.name;
    json["suspect"] = figure.suspect;
    json["problem"] = figure.problem;
    json["metrics"] = Json::Value(Json::objectValue);
    for (const Comparison::Metric& metric : figure.metrics) {
        Json::Value& one = json["metrics"][metric.name];
        one["before"] = metric.before;
        one["after"] = metric.after;
        one["change_pct"] = metric.change.percent;
        one["lower_pct"] = metric.change.interval.lower;
        one["upper_pct"] = metric.change.interval.upper;
        one["verdict"] = ChangeVerdictName(metric.change.verdict);
    }
    return json;
}

}  // namespace

bool Comparison::any() const {
    return std::any_of(figures.begin(), figures.end(),
                       [](const Figure& figure) { return figure.problem.empty(); });
}

Result<Comparison> CompareBenches(const Json::Value& before, const Json::Value& after) {
    Result<std::map<std::string, Values>> was = FiguresOf(before);
    if (!was.ok()) return Error() << "the first result: " << was.error().message();
    Result<std::map<std::string, Values>> is = FiguresOf(after);
    if (!is.ok()) return Error() << "the second result: " << is.error().message();
    Comparison comparison{.only_before = OnlyIn(*was, *is), .only_after = OnlyIn(*is, *was)};
    for (const auto& [name, values] : *was) {
        const auto other = is->find(name);
        if (other == is->end()) continue;
        comparison.figures.push_back(CompareFigure(name, values, other->second));
    }
    if (comparison.figures.empty()) return Error() << "the two results have no figure in common";
    return comparison;
}

Json::Value ComparisonToJson(const Comparison& comparison) {
    Json::Value json;
    json["schema"] = "storekeeper.bench_comparison";
    json["version"] = 1;
    json["figures"] = ArrayOf(comparison.figures, FigureToJson);
    json["only_before"] = StringsToJson(comparison.only_before);
    json["only_after"] = StringsToJson(comparison.only_after);
    return json;
}

std::string ComparisonToText(const Comparison& comparison) {
    std::string text = StringPrintf("%-16s %-12s %10s %10s %9s  %-20s %s\n", "figure", "", "before",
                                    "after", "change", "95 % interval", "verdict");
    const auto not_compared = [&text](const std::string& name, const std::string& why) {
        text += StringPrintf("%-16s not compared: %s\n", name.c_str(), why.c_str());
    };
    for (const Comparison::Figure& figure : comparison.figures) {
        if (!figure.problem.empty()) not_compared(figure.name, figure.problem);
        for (const Comparison::Metric& metric : figure.metrics) {
            const Change& change = metric.change;
            const std::string interval =
                    StringPrintf("%+.1f to %+.1f %%", change.interval.lower, change.interval.upper);
            text += StringPrintf("%-16s %-12s %10.4g %10.4g %+8.1f%%  %-20s %s%s\n",
                                 figure.name.c_str(), metric.name.c_str(), metric.before,
                                 metric.after, change.percent, interval.c_str(),
                                 ChangeVerdictName(change.verdict).c_str(),
                                 figure.suspect ? " (SUSPECT)" : "");
        }
    }
    for (const auto& name : comparison.only_before) not_compared(name, "only the first has it");
    for (const auto& name : comparison.only_after) not_compared(name, "only the second has it");
    return text;
}

}  // namespace storekeeper
