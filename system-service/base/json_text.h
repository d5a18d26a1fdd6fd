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
    int depth = 8;  // maximum nesting of brackets
};

// Parses a text that is exactly one JSON object, without comments and without duplicate keys
// (Android 11 keeps the last of them). The text may come from any source; the error describes the
// defect.
android::base::Result<Json::Value> ParseJsonObject(const std::string& text,
                                                   const JsonLimits& limits);

// JSON text with a final newline and sorted keys. Numbers have at most 15 significant digits, which
// a double preserves (17 on Android 11). Strings are escaped by PrintableLines().
std::string WriteJson(Json::Value value);

// JSON on one line, without its end and with unescaped strings, for files of many lines.
std::string WriteJsonLine(const Json::Value& value);

// An absent value becomes null, never 0. A duration becomes a count in its own unit.
template <typename T>
Json::Value OrNull(const std::optional<T>& value) {
    if (!value.has_value()) return {};
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        // jsoncpp has constructors for these widths only, on every ABI.
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

// Converts the value by `to_json`; an absent value becomes null.
template <typename T, typename ToJson>
Json::Value OrNull(const std::optional<T>& value, const ToJson& to_json) {
    return value.has_value() ? Json::Value(to_json(*value)) : Json::Value();
}

// An empty text becomes null.
Json::Value TextOrNull(const std::string& text);

// An array of the elements, each converted by `to_json`.
template <typename Range, typename ToJson>
Json::Value ArrayOf(const Range& range, const ToJson& to_json) {
    Json::Value json(Json::arrayValue);
    for (const auto& element : range) json.append(to_json(element));
    return json;
}

Json::Value StringsToJson(const std::vector<std::string>& strings);

}  // namespace storekeeper
