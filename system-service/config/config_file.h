// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <json/value.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_reader.h"
#include "health/chip_prior.h"
#include "maintenance/policy/policy.h"
#include "writers/writers_config.h"

namespace storekeeper {

// All that the configuration files can set, by section.
struct Config {
    PolicyConfig maintenance;
    WritersConfig writers;
    std::vector<ChipPrior> chips;
};

// One number or switch of a section.
struct ConfigKey {
    std::string_view section;
    std::string_view name;  // ends in the unit
    bool is_switch = false;
    int64_t min = 0;
    int64_t max = 0;
    std::string_view description;
    int64_t (*get)(const Config& config);
    void (*set)(Config* config, int64_t value);
};

// The one list of keys: parser, schema and the shipped default file follow from it.
std::span<const ConfigKey> ConfigKeys();

// The interval must be less than the deadline; the error names both.
android::base::Result<void> CheckConfig(const Config& config);

// What a product ships, and the overlay in its device's vendor image.
inline constexpr char kDefaultConfigPath[] = "/system_ext/etc/storekeeper/default.json";
inline constexpr char kDeviceConfigPath[] = "/vendor/etc/storekeeper/device.json";

// `base` with what the text of a configuration file sets: {"maintenance": {"untouched_s": 3600}}.
// "chips" replaces the list of the file before.
// Strict: an unknown key, a wrong type or a value out of range is an error that names it, and then
// nothing of the text counts. A string "$comment" may stand beside the sections.
android::base::Result<Config> OverlayConfig(const Config& base, const std::string& text);

struct LoadedConfig {
    Config config;
    // A file each that was refused as a whole: which, which key and why.
    std::vector<std::string> problems;
    std::vector<std::string> files;  // those in force, in order
};

// The built-in defaults, then each of these files that exists and is right.
LoadedConfig LoadConfig(const FileReader& files, const std::vector<std::string>& paths);

// The configuration as a file would give it, every key named.
Json::Value ConfigToJson(const Config& config);

// JSON schema (draft 2020-12) of a configuration file.
Json::Value ConfigSchema();

}  // namespace storekeeper
