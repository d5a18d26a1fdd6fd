// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/json_fields.h"

namespace storekeeper {
namespace {

// jsoncpp takes 8.0 and 1e3 as whole numbers, too.
bool IsWritten(const Json::Value& json) {
    return json.type() != Json::realValue;
}

}  // namespace

const Json::Value* JsonFields::Find(const char* key, Key kind) {
    if (from_->isMember(key)) return &(*from_)[key];
    if (kind == Key::kAlways) Refuse(key, "is missing");
    return nullptr;
}

void JsonFields::Refuse(const char* key, const char* problem) {
    if (problem_.empty()) problem_ = std::string("its ") + key + " " + problem;
}

bool JsonFields::Read(const Json::Value& json, bool& value) {
    if (json.isBool()) value = json.asBool();
    return json.isBool();
}

bool JsonFields::Read(const Json::Value& json, uint32_t& value) {
    const bool fits = json.isUInt() && IsWritten(json);
    if (fits) value = json.asUInt();
    return fits;
}

bool JsonFields::Read(const Json::Value& json, uint64_t& value) {
    const bool fits = json.isUInt64() && IsWritten(json);
    if (fits) value = json.asUInt64();
    return fits;
}

bool JsonFields::Read(const Json::Value& json, int64_t& value) {
    const bool fits = json.isInt64() && IsWritten(json);
    if (fits) value = json.asInt64();
    return fits;
}

bool JsonFields::Read(const Json::Value& json, std::string& value) {
    if (json.isString()) value = json.asString();
    return json.isString();
}

}  // namespace storekeeper
