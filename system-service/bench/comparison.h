// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <string>

namespace storekeeper {

// Two results (BenchToJson()) side by side: for each figure that both have, the change from the
// first to the second of its MB/s and latencies, with a 95 % interval and a verdict, as
// docs/bench_comparison.schema.json has it. Repetitions that are INVALID do not count; a figure
// that is INVALID, has fewer than kMinRepetitions others or is of another job than the other's is
// not compared, and `problem` says so; those that one result alone has are named.
// An error names the result and what is wrong with it.
android::base::Result<Json::Value> CompareBenches(const Json::Value& before,
                                                  const Json::Value& after);

// Whether a figure in it could be compared.
bool ComparesAny(const Json::Value& comparison);

// That for people.
std::string ComparisonToText(const Json::Value& comparison);

}  // namespace storekeeper
