// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <chrono>
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

// JSON text for people and programs, with a final newline, keys sorted, numbers with the 15 digits
// that a double surely has. Strings are PrintableLines().
std::string WriteJson(Json::Value value);

// JSON in one line, strings as they are, for files of many lines.
std::string WriteJsonLine(const Json::Value& value);

// What is not known is null, never 0. A duration counts in its own unit.
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
template <typename Rep, typename Period>
Json::Value OrNull(const std::optional<std::chrono::duration<Rep, Period>>& time) {
    return time.has_value() ? Json::Value(static_cast<Json::Int64>(time->count())) : Json::Value();
}

// The same of what `to_json` makes of the value.
template <typename T, typename ToJson>
Json::Value OrNull(const std::optional<T>& value, const ToJson& to_json) {
    return value.has_value() ? Json::Value(to_json(*value)) : Json::Value();
}

// null for "".
Json::Value TextOrNull(const std::string& text);

// What `to_json` makes of each element.
template <typename Range, typename ToJson>
Json::Value ArrayOf(const Range& range, const ToJson& to_json) {
    Json::Value json(Json::arrayValue);
    for (const auto& element : range) json.append(to_json(element));
    return json;
}

Json::Value StringsToJson(const std::vector<std::string>& strings);

}  // namespace storekeeper
