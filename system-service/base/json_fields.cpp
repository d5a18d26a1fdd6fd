// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/json_fields.h"

namespace storekeeper {

void JsonFields::Refuse(const char* key, const char* problem) {
    if (problem_.empty()) problem_ = std::string("its ") + key + " " + problem;
}

bool JsonFields::Convert(Json::Value& json, bool& value) {
    if (writing_) json = value;
    if (json.isBool()) value = json.asBool();
    return json.isBool();
}

// jsoncpp takes 8.0 and 1e3 as whole numbers, too, so reals are refused.
bool JsonFields::Convert(Json::Value& json, uint32_t& value) {
    if (writing_) json = Json::UInt{value};
    const bool fits = json.isUInt() && json.type() != Json::realValue;
    if (fits) value = json.asUInt();
    return fits;
}

bool JsonFields::Convert(Json::Value& json, uint64_t& value) {
    if (writing_) json = Json::UInt64{value};
    const bool fits = json.isUInt64() && json.type() != Json::realValue;
    if (fits) value = json.asUInt64();
    return fits;
}

bool JsonFields::Convert(Json::Value& json, int64_t& value) {
    if (writing_) json = Json::Int64{value};
    const bool fits = json.isInt64() && json.type() != Json::realValue;
    if (fits) value = json.asInt64();
    return fits;
}

bool JsonFields::Convert(Json::Value& json, std::string& value) {
    if (writing_) json = value;
    if (json.isString()) value = json.asString();
    return json.isString();
}

}  // namespace storekeeper
