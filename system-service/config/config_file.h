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

// All settings of the configuration files, by section.
struct Config {
    PolicyConfig maintenance;
    WritersConfig writers;
    std::vector<ChipPrior> chips;
};

// A number or switch of a section.
struct ConfigKey {
    std::string_view section;
    std::string_view name;  // ends in its unit
    bool is_switch = false;
    int64_t min = 0;
    int64_t max = 0;
    std::string_view description;
    int64_t (*get)(const Config& config);
    void (*set)(Config* config, int64_t value);
};

// All keys. Parser, schema and the shipped default file are derived from this list.
std::span<const ConfigKey> ConfigKeys();

// The product's configuration, and its overlay in the device's vendor image.
inline constexpr char kDefaultConfigPath[] = "/system_ext/etc/storekeeper/default.json";
inline constexpr char kDeviceConfigPath[] = "/vendor/etc/storekeeper/device.json";

// Applies the text of a configuration file to `base`: {"maintenance": {"untouched_s": 3600}}.
// "chips" replaces the whole list of `base`. An unknown key, a wrong type or a value out of range
// is an error that names it, and the whole text is refused. A string "$comment" is allowed beside
// the sections.
android::base::Result<Config> OverlayConfig(const Config& base, const std::string& text);

struct LoadedConfig {
    Config config;
    // One message per refused file, with the key and the reason.
    std::vector<std::string> problems;
    std::vector<std::string> files;  // files in force, in order
};

// The built-in defaults, overlaid by each valid file in `paths`.
LoadedConfig LoadConfig(const FileReader& files, const std::vector<std::string>& paths);

// The configuration as the text of a file, with every key.
Json::Value ConfigToJson(const Config& config);

// JSON schema (draft 2020-12) of a configuration file.
Json::Value ConfigSchema();

}  // namespace storekeeper
