// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

namespace storekeeper {

// Why maintenance runs or does not, of StatusToJson(): what it is doing, a line a gate, and a
// sentence that tells when the next run can happen.
std::string WhyText(const Json::Value& status);

// "2038-01-19 03:14:08 UTC" of seconds since 1970; "?" before that and after the year 9999.
std::string WallTimeText(Json::Int64 wall_s);

}  // namespace storekeeper
