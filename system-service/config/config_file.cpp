// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "config/config_file.h"

#include <android-base/strings.h>

#include <algorithm>
#include <vector>

#include "base/json_text.h"
#include "base/try.h"
#include "config/config_keys.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kLicence[] = "SPDX-License-Identifier: Apache-2.0";
constexpr char kComment[] = "$comment";

const ConfigKey* FindKey(const std::string& section, const std::string& name) {
    for (const ConfigKey& key : ConfigKeys()) {
        if (key.section == section && key.name == name) return &key;
    }
    return nullptr;
}

bool IsSection(const std::string& name) {
    return std::any_of(ConfigKeys().begin(), ConfigKeys().end(),
                       [&](const ConfigKey& key) { return key.section == name; });
}

Result<int64_t> NumberOf(const ConfigKey& key, const Json::Value& value) {
    if (key.is_switch) {
        if (!value.isBool()) return Error() << "must be true or false";
        return value.asBool() ? 1 : 0;
    }
    const bool is_integer =
            value.type() == Json::intValue || (value.type() == Json::uintValue && value.isInt64());
    if (!is_integer) return Error() << "must be an integer";
    const int64_t number = value.asInt64();
    if (number < key.min || number > key.max) {
        return Error() << "is " << number << ", out of range: " << key.min << " to " << key.max;
    }
    return number;
}

Result<void> ApplySection(const std::string& section, const Json::Value& values, Config* config) {
    if (!values.isObject()) return Error() << section << " must be an object";
    for (const std::string& name : values.getMemberNames()) {
        const std::string full = android::base::Join(std::vector{section, name}, '.');
        const ConfigKey* key = FindKey(section, name);
        if (key == nullptr) return Error() << "unknown key " << full;
        Result<int64_t> number = NumberOf(*key, values[name]);
        if (!number.ok()) return Error() << full << " " << number.error().message();
        key->set(config, *number);
    }
    return {};
}

Json::Value KeySchema(const ConfigKey& key) {
    Json::Value schema;
    schema["description"] = std::string(key.description);
    schema["type"] = key.is_switch ? "boolean" : "integer";
    if (key.is_switch) {
        schema["default"] = key.get(Config()) != 0;
        return schema;
    }
    schema["minimum"] = Json::Int64{key.min};
    schema["maximum"] = Json::Int64{key.max};
    schema["default"] = Json::Int64{key.get(Config())};
    return schema;
}

}  // namespace

Result<Config> OverlayConfig(const Config& base, const std::string& text) {
    const Json::Value file = TRY(ParseJsonObject(text, {}));
    Config config = base;
    for (const std::string& name : file.getMemberNames()) {
        if (name == kComment) {
            if (!file[name].isString()) return Error() << kComment << " must be a string";
            continue;
        }
        if (!IsSection(name)) return Error() << "unknown key " << name;
        TRY(ApplySection(name, file[name], &config));
    }
    TRY(CheckConfig(config));
    return config;
}

LoadedConfig LoadConfig(const FileReader& files, const std::vector<std::string>& paths) {
    LoadedConfig loaded;
    for (const std::string& path : paths) {
        if (!files.Exists(path)) continue;
        Result<std::string> text = files.ReadText(path);
        Result<Config> config =
                text.ok() ? OverlayConfig(loaded.config, *text) : Result<Config>(text.error());
        if (config.ok()) {
            loaded.config = *config;
            loaded.files.push_back(path);
        } else {
            loaded.problems.push_back("Configuration file " + path +
                                      " is ignored: " + config.error().message());
        }
    }
    return loaded;
}

Json::Value ConfigToJson(const Config& config) {
    Json::Value json;
    json[kComment] = kLicence;
    for (const ConfigKey& key : ConfigKeys()) {
        Json::Value& value = json[std::string(key.section)][std::string(key.name)];
        value = key.is_switch ? Json::Value(key.get(config) != 0)
                              : Json::Value(Json::Int64{key.get(config)});
    }
    return json;
}

Json::Value ConfigSchema() {
    Json::Value schema;
    schema[kComment] = kLicence;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = std::string(kDefaultConfigPath) + " and " + kDeviceConfigPath;
    schema["type"] = "object";
    schema["additionalProperties"] = false;
    schema["properties"][kComment]["type"] = "string";
    for (const ConfigKey& key : ConfigKeys()) {
        Json::Value& section = schema["properties"][std::string(key.section)];
        section["type"] = "object";
        section["additionalProperties"] = false;
        section["properties"][std::string(key.name)] = KeySchema(key);
    }
    return schema;
}

}  // namespace storekeeper
