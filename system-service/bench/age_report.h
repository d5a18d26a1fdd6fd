// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

#include "bench/ager.h"

namespace storekeeper {

// What ageing did, as docs/bench_age.schema.json has it; `kept`: its files stay.
Json::Value AgeToJson(const AgeOutcome& outcome, const std::string& folder, bool kept);

// That for people.
std::string AgeToText(const Json::Value& age);

}  // namespace storekeeper
