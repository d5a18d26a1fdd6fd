// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
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
// A member is a bool, a uint32_t, uint64_t or int64_t, a text, a duration as a count of its own
// unit, an object with a Fields() of its own, or an optional, a vector or a map by text of these.
// An absent value is null. Reading checks the type and the range; a duration is not negative, and
// the sum of two still fits. It ignores unknown keys.
class JsonFields {
  public:
    enum class Key {
        kAlways,   // every object has it
        kIfThere,  // earlier versions lack it; without it the member keeps its value
        kOld,      // only earlier versions have it
    };

    // Reads `json`, or writes to it; it must outlive this.
    JsonFields(Json::Value& json, bool writing) : json_(json), writing_(writing) {}

    template <typename T>
    void operator()(const char* key, T& value, Key kind = Key::kAlways) {
        if (writing_) {
            if (kind != Key::kOld) Convert(json_[key], value);
        } else if (json_.isMember(key)) {
            if (!Convert(json_[key], value)) Refuse(key, "has another type or is out of range");
        } else if (kind == Key::kAlways) {
            Refuse(key, "is missing");
        }
    }

    // A time, or an optional one, as a count of `Unit`.
    template <typename Unit>
    void In(const char* key, std::chrono::nanoseconds& time, Key kind = Key::kAlways) {
        auto units = std::chrono::duration_cast<Unit>(time);
        (*this)(key, units, kind);
        if (!writing_) time = units;
    }
    template <typename Unit>
    void In(const char* key, std::optional<std::chrono::nanoseconds>& time,
            Key kind = Key::kAlways) {
        std::optional<Unit> units;
        if (time.has_value()) units = std::chrono::duration_cast<Unit>(*time);
        (*this)(key, units, kind);
        if (!writing_) time = units;
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
        if (writing_) json_[key] = value;
    }

    // The first problem of reading; "" if there is none.
    const std::string& problem() const { return problem_; }

  private:
    void Refuse(const char* key, const char* problem);

    // Writes the value or reads it. False for another type or a value out of range.
    bool Convert(Json::Value& json, bool& value);
    bool Convert(Json::Value& json, uint32_t& value);
    bool Convert(Json::Value& json, uint64_t& value);
    bool Convert(Json::Value& json, int64_t& value);
    bool Convert(Json::Value& json, std::string& value);
    template <typename Rep, typename Period>
    bool Convert(Json::Value& json, std::chrono::duration<Rep, Period>& time) {
        using Time = std::chrono::duration<Rep, Period>;
        constexpr int64_t kLongest =
                std::chrono::duration_cast<Time>(std::chrono::nanoseconds::max() / 2).count();
        // A clock out of range must not write what cannot be read.
        int64_t count = std::clamp<int64_t>(time.count(), 0, kLongest);
        if (!Convert(json, count) || count < 0 || count > kLongest) return false;
        time = Time(count);
        return true;
    }
    template <typename T>
    bool Convert(Json::Value& json, std::optional<T>& value) {
        if (writing_ ? !value.has_value() : json.isNull()) return true;
        // emplace() does not compile for a nested class with member initializers.
        if (!writing_) value = T();
        return Convert(json, *value);
    }
    template <typename T>
    bool Convert(Json::Value& json, std::vector<T>& values) {
        if (writing_) json = Json::Value(Json::arrayValue);
        if (!json.isArray()) return false;
        if (!writing_) values.resize(json.size());
        Json::ArrayIndex i = 0;
        for (T& value : values) {
            if (!Convert(json[i++], value)) return false;
        }
        return true;
    }
    template <typename T>
    bool Convert(Json::Value& json, std::map<std::string, T>& values) {
        if (writing_) json = Json::Value(Json::objectValue);
        if (!json.isObject()) return false;
        for (const std::string& key : json.getMemberNames()) values[key];
        for (auto& [key, value] : values) {
            if (!Convert(json[key], value)) return false;
        }
        return true;
    }
    template <typename T>
    bool Convert(Json::Value& json, T& object) {
        if (writing_) json = Json::Value(Json::objectValue);
        if (!json.isObject()) return false;
        JsonFields fields(json, writing_);
        Fields(fields, object);
        if (problem_.empty()) problem_ = fields.problem_;
        return problem_.empty();
    }

    Json::Value& json_;
    const bool writing_;
    std::string problem_;
};

template <typename T>
Json::Value FieldsToJson(T object) {
    Json::Value json(Json::objectValue);
    JsonFields fields(json, true);
    Fields(fields, object);
    return json;
}

// One line, without its end.
template <typename T>
std::string WriteFields(const T& object) {
    return WriteJsonLine(FieldsToJson(object));
}

// The error names the first wrong key. The text may come from any source.
template <typename T>
android::base::Result<T> ParseFields(const std::string& text) {
    Json::Value json = TRY(ParseJsonObject(text, {}));
    JsonFields fields(json, false);
    T object;
    Fields(fields, object);
    if (!fields.problem().empty()) return android::base::Error() << fields.problem();
    return object;
}

}  // namespace storekeeper
