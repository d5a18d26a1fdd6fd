// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <string>

namespace storekeeper {

// A result (BenchToJson()) for people: a line a figure with the medians of its repetitions, and why
// any of them is doubted.
std::string BenchToText(const Json::Value& result);

}  // namespace storekeeper
