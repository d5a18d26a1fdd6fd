// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <string>
#include <vector>

#include "bench/statistics.h"

namespace storekeeper {

// Two results side by side. For each figure that both have, it contains the change of MB/s and
// latencies from the first to the second, with a 95 % interval and a verdict. Repetitions that are
// INVALID do not count. A figure is not compared if it is INVALID, has fewer than kMinRepetitions
// others, or has another job than its counterpart; `problem` says so.
struct Comparison {
    struct Metric {
        std::string name;
        double before = 0;  // median
        double after = 0;
        Change change;
    };
    struct Figure {
        std::string name;
        bool suspect = false;
        std::string problem;  // "" if the figure is compared
        std::vector<Metric> metrics;
    };
    std::vector<Figure> figures;
    // Names of the figures that only one result has.
    std::vector<std::string> only_before;
    std::vector<std::string> only_after;

    bool any() const;
};

// Compares two results that BenchToJson() wrote. An error names the result and its fault.
android::base::Result<Comparison> CompareBenches(const Json::Value& before,
                                                 const Json::Value& after);

// The comparison as docs/bench_comparison.schema.json describes it.
Json::Value ComparisonToJson(const Comparison& comparison);

// The comparison for people.
std::string ComparisonToText(const Comparison& comparison);

}  // namespace storekeeper
