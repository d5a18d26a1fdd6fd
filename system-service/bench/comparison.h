// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <string>
#include <vector>

#include "bench/statistics.h"

namespace storekeeper {

// Two results side by side: for each figure that both have, the change from the first to the second
// of its MB/s and latencies, with a 95 % interval and a verdict. Repetitions that are INVALID do
// not count; a figure that is INVALID, has fewer than kMinRepetitions others or is of another job
// than the other's is not compared, and `problem` says so.
struct Comparison {
    struct Metric {
        std::string name;
        double before = 0;  // the median
        double after = 0;
        Change change;
    };
    struct Figure {
        std::string name;
        bool suspect = false;
        std::string problem;  // "" for one that is compared
        std::vector<Metric> metrics;
    };
    std::vector<Figure> figures;
    // The names of those that one result alone has.
    std::vector<std::string> only_before;
    std::vector<std::string> only_after;

    // Whether a figure could be compared.
    bool any() const;
};

// Of two results as BenchToJson() writes them. An error names the result and what is wrong with it.
android::base::Result<Comparison> CompareBenches(const Json::Value& before,
                                                 const Json::Value& after);

// As docs/bench_comparison.schema.json has it.
Json::Value ComparisonToJson(const Comparison& comparison);

// The same for people.
std::string ComparisonToText(const Comparison& comparison);

}  // namespace storekeeper
