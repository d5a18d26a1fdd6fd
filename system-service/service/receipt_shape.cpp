// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "service/receipt_shape.h"

#include "config/json_text.h"
#include "platform/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

struct Key {
    const char* name;
    bool (Json::Value::*is)() const;
    bool required = true;
    bool or_null = false;
};

// What docs/dump.schema.json requires, and what else has a type that matters.
constexpr Key kRunKeys[] = {
        {"manual", &Json::Value::isBool},
        {"started_wall_s", &Json::Value::isInt64},
        {"started_boot_s", &Json::Value::isInt64, false},
        {"duration_ms", &Json::Value::isInt64},
        {"outcome", &Json::Value::isString},
        {"code", &Json::Value::isInt, false},
        {"reason", &Json::Value::isString},
        {"complete", &Json::Value::isBool},
        {"mounts", &Json::Value::isArray},
};
constexpr Key kMountKeys[] = {
        {"mount", &Json::Value::isString},
        {"outcome", &Json::Value::isString},
        {"code", &Json::Value::isInt, false},
        {"reason", &Json::Value::isString},
        {"range_start_bytes", &Json::Value::isUInt64, false},
        {"range_length_bytes", &Json::Value::isUInt64, false},
        {"filesystem_bytes", &Json::Value::isUInt64, true, true},
        {"block_layer_bytes", &Json::Value::isUInt64, true, true},
        {"duration_ms", &Json::Value::isInt64},
        {"trimming_ms", &Json::Value::isInt64, false},
        {"slices", &Json::Value::isUInt, false},
        {"gentle", &Json::Value::isBool, false},
        {"worst_foreground_us", &Json::Value::isInt64, true, true},
        {"note", &Json::Value::isString},
};

template <size_t N>
Result<void> Check(const Json::Value& object, const Key (&keys)[N]) {
    if (!object.isObject()) return Error() << "an entry of its mounts is no object";
    for (const Key& key : keys) {
        const Json::Value& value = object[key.name];
        const bool missing = !object.isMember(key.name);
        if (missing ? !key.required : (key.or_null && value.isNull()) || (value.*key.is)()) {
            continue;
        }
        return Error() << "its " << key.name << (missing ? " is missing" : " has another type");
    }
    return {};
}

}  // namespace

Result<Json::Value> ParseReceipt(const std::string& line) {
    Json::Value receipt = TRY(ParseJsonObject(line, {}));
    const Json::Value& run = receipt;
    TRY(Check(run, kRunKeys));
    for (const Json::Value& mount : run["mounts"]) TRY(Check(mount, kMountKeys));
    return receipt;
}

}  // namespace storekeeper
