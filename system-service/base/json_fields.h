// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "base/try.h"

namespace storekeeper {

// Writes the fields of a stored object to JSON, or reads them, by one list of keys and members:
//
//   void Fields(JsonFields& json, CanaryGap& gap) {
//       json("gap_offset", gap.offset);
//       json("gap_length", gap.length);
//   }
//   const std::string line = WriteFields(gap);
//   const Result<CanaryGap> same = ParseFields<CanaryGap>(line);
//
// A member is a bool, a whole number, a text, a duration as a count of its own unit, an object with
// a Fields() of its own, or an optional or a vector of these. An absent value is null. Reading
// checks the type and the range; a duration is not negative, and the sum of two still fits. It
// ignores unknown keys.
class JsonFields {
  public:
    enum class Key {
        kAlways,   // every object has it
        kIfThere,  // earlier versions lack it; without it the member keeps its value
        kOld,      // only earlier versions have it
    };

    template <typename T>
    void operator()(const char* key, T& value, Key kind = Key::kAlways) {
        if (is_writing()) {
            if (kind != Key::kOld) to_[key] = Write(value);
        } else if (const Json::Value* json = Find(key, kind); json != nullptr) {
            if (!Read(*json, value)) Refuse(key, "has another type or is out of range");
        }
    }

    // A time, or an optional one, as a count of `Unit`.
    template <typename Unit, typename Time>
    void In(const char* key, Time& time, Key kind = Key::kAlways) {
        auto units = InUnit<Unit>(time);
        (*this)(key, units, kind);
        if (!is_writing()) time = units;
    }

    // An enumeration from 0 to `last`, by its NameOf().
    template <typename Enum>
    void Name(const char* key, Enum& value, Enum last) {
        std::string name(NameOf(value));
        (*this)(key, name);
        for (int i = 0; i <= static_cast<int>(last); ++i) {
            value = static_cast<Enum>(i);
            if (NameOf(value) == name) return;
        }
        Refuse(key, "is not known");
    }

    // A value that follows from others, for readers of the JSON.
    void Derived(const char* key, const Json::Value& value) {
        if (is_writing()) to_[key] = value;
    }

  private:
    template <typename T>
    friend Json::Value FieldsToJson(T object);
    template <typename T>
    friend android::base::Result<T> ParseFields(const std::string& text);

    JsonFields() = default;
    explicit JsonFields(const Json::Value& from) : from_(&from) {}

    bool is_writing() const { return from_ == nullptr; }
    // Null if there is no such key, which is refused if it must be there.
    const Json::Value* Find(const char* key, Key kind);
    // Keeps the first problem.
    void Refuse(const char* key, const char* problem);

    template <typename Unit>
    static Unit InUnit(std::chrono::nanoseconds time) {
        return std::chrono::duration_cast<Unit>(time);
    }
    template <typename Unit>
    static std::optional<Unit> InUnit(const std::optional<std::chrono::nanoseconds>& time) {
        return time.has_value() ? std::optional(InUnit<Unit>(*time)) : std::nullopt;
    }

    template <typename T>
    static Json::Value Write(T& value) {
        if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
            return value;
        } else if constexpr (std::is_integral_v<T>) {
            return std::is_signed_v<T> ? Json::Value(static_cast<Json::Int64>(value))
                                       : Json::Value(static_cast<Json::UInt64>(value));
        } else {
            JsonFields fields;
            Fields(fields, value);
            return std::move(fields.to_);
        }
    }
    template <typename Rep, typename Period>
    static Json::Value Write(std::chrono::duration<Rep, Period>& time) {
        return static_cast<Json::Int64>(time.count());
    }
    template <typename T>
    static Json::Value Write(std::optional<T>& value) {
        return value.has_value() ? Write(*value) : Json::Value();
    }
    template <typename T>
    static Json::Value Write(std::vector<T>& values) {
        Json::Value json(Json::arrayValue);
        for (T& value : values) json.append(Write(value));
        return json;
    }

    // Each is false for another type or a value out of range.
    static bool Read(const Json::Value& json, bool& value);
    static bool Read(const Json::Value& json, uint32_t& value);
    static bool Read(const Json::Value& json, uint64_t& value);
    static bool Read(const Json::Value& json, int64_t& value);
    static bool Read(const Json::Value& json, std::string& value);
    template <typename Rep, typename Period>
    static bool Read(const Json::Value& json, std::chrono::duration<Rep, Period>& time) {
        using Time = std::chrono::duration<Rep, Period>;
        const Time longest = std::chrono::duration_cast<Time>(std::chrono::nanoseconds::max() / 2);
        int64_t count = 0;
        if (!Read(json, count) || count < 0 || count > longest.count()) return false;
        time = Time(count);
        return true;
    }
    template <typename T>
    bool Read(const Json::Value& json, std::optional<T>& value) {
        if (json.isNull()) return true;
        value = T();
        return Read(json, *value);
    }
    template <typename T>
    bool Read(const Json::Value& json, std::vector<T>& values) {
        if (!json.isArray()) return false;
        for (const Json::Value& element : json) {
            if (!Read(element, values.emplace_back())) return false;
        }
        return true;
    }
    template <typename T>
    bool Read(const Json::Value& json, T& object) {
        if (!json.isObject()) return false;
        JsonFields fields(json);
        Fields(fields, object);
        if (problem_.empty()) problem_ = fields.problem_;
        return problem_.empty();
    }

    const Json::Value* const from_ = nullptr;
    Json::Value to_{Json::objectValue};
    std::string problem_;
};

template <typename T>
Json::Value FieldsToJson(T object) {
    return JsonFields::Write(object);
}

// One line, without its end.
template <typename T>
std::string WriteFields(const T& object) {
    return WriteJsonLine(FieldsToJson(object));
}

// The error names the first wrong key. The text may come from any source.
template <typename T>
android::base::Result<T> ParseFields(const std::string& text) {
    const Json::Value json = TRY(ParseJsonObject(text, {}));
    JsonFields fields(json);
    T object;
    Fields(fields, object);
    if (!fields.problem_.empty()) return android::base::Error() << fields.problem_;
    return object;
}

}  // namespace storekeeper
