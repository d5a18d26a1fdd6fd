// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

namespace storekeeper {

// Why maintenance runs or does not, of StatusToJson(): what it is doing, a line a gate, and a
// sentence that tells when the next run can happen.
std::string WhyText(const Json::Value& status);

// Texts that other reports use, too.
std::string WallTimeText(Json::Int64 wall_s);

}  // namespace storekeeper
