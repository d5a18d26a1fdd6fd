// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/receipt_json.h"

#include "base/json_text.h"
#include "base/try.h"
#include "maintenance/trim/outcome.h"

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

Json::Int64 Milliseconds(std::chrono::nanoseconds duration) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
}

Json::Value MountToJson(const MountReceipt& mount) {
    Json::Value json;
    json["mount"] = mount.mount;
    json["outcome"] = std::string(FactsOf(mount.outcome).name);
    json["code"] = FactsOf(mount.outcome).code;
    json["reason"] = mount.reason;
    json["range_start_bytes"] = Json::UInt64{mount.range_start_bytes};
    json["range_length_bytes"] = Json::UInt64{mount.range_length_bytes};
    json["filesystem_bytes"] = OrNull(mount.filesystem_bytes);
    json["block_layer_bytes"] = OrNull(mount.block_layer_bytes);
    json["duration_ms"] = Milliseconds(mount.duration);
    json["trimming_ms"] = Milliseconds(mount.trimming);
    json["slices"] = Json::UInt64{mount.slices};
    json["gentle"] = mount.gentle;
    json["worst_foreground_us"] =
            mount.worst_foreground.has_value()
                    ? Json::Value(Json::Int64{std::chrono::duration_cast<std::chrono::microseconds>(
                                                      *mount.worst_foreground)
                                                      .count()})
                    : Json::Value();
    json["note"] = mount.note;
    return json;
}

}  // namespace

Json::Value ReceiptToJson(const TrimReceipt& receipt) {
    Json::Value json;
    json["manual"] = receipt.manual;
    json["started_wall_s"] = Json::Int64{receipt.started_wall.count()};
    json["started_boot_s"] =
            Json::Int64{std::chrono::duration_cast<std::chrono::seconds>(receipt.started).count()};
    json["duration_ms"] = Milliseconds(receipt.duration);
    json["outcome"] = std::string(FactsOf(receipt.outcome).name);
    json["code"] = FactsOf(receipt.outcome).code;
    json["reason"] = receipt.reason;
    json["complete"] = receipt.complete;
    json["mounts"] = Json::Value(Json::arrayValue);
    for (const MountReceipt& mount : receipt.mounts) json["mounts"].append(MountToJson(mount));
    return json;
}

Result<Json::Value> ParseReceipt(const std::string& line) {
    Json::Value receipt = TRY(ParseJsonObject(line, {}));
    const Json::Value& run = receipt;
    TRY(Check(run, kRunKeys));
    for (const Json::Value& mount : run["mounts"]) TRY(Check(mount, kMountKeys));
    return receipt;
}

}  // namespace storekeeper
