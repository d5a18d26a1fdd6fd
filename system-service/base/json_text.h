// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

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

// What is not known is null, never 0.
template <typename T>
Json::Value OrNull(const std::optional<T>& value) {
    if (!value.has_value()) return {};
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        // Of the width that jsoncpp's constructors name, whatever the integer's own.
        return std::is_signed_v<T> ? Json::Value(static_cast<Json::Int64>(*value))
                                   : Json::Value(static_cast<Json::UInt64>(*value));
    } else {
        return *value;
    }
}

// null for "".
Json::Value TextOrNull(const std::string& text);

Json::Value StringsToJson(const std::vector<std::string>& strings);

}  // namespace storekeeper
