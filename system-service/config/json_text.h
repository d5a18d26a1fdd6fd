// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <string>

namespace storekeeper {

struct JsonLimits {
    size_t bytes = 64 * 1024;
    int depth = 8;  // of nested brackets
};

// A text that is one JSON object: no comments, no duplicate keys (Android 11 takes the last of
// them), nothing behind it. For texts that anybody may have written; the error says what is wrong.
android::base::Result<Json::Value> ParseJsonObject(const std::string& text,
                                                   const JsonLimits& limits);

// JSON text with a final newline, keys sorted, numbers with the 15 digits that a double surely has.
std::string WriteJson(const Json::Value& value);

// The same in one line, for files of many.
std::string WriteJsonLine(const Json::Value& value);

}  // namespace storekeeper
