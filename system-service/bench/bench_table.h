// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

#include "bench/ager.h"
#include "bench/bench_result.h"

namespace storekeeper {

// A result for people: a line a figure with the medians of its repetitions, and why
// any of them is doubted.
std::string BenchToText(const BenchResult& result);

// What ageing did, as docs/bench_age.schema.json has it; `kept`: its files stay.
Json::Value AgeToJson(const AgeOutcome& outcome, const std::string& folder, bool kept);

// That for people.
std::string AgeToText(const AgeOutcome& outcome, const std::string& folder, bool kept);

}  // namespace storekeeper
