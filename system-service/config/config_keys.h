// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "maintenance/policy/policy_config.h"

namespace storekeeper {

// All that the configuration files can set, by section.
struct Config {
    PolicyConfig maintenance;
};

// One number or switch of the configuration files.
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

// What must hold between keys; the error names both.
android::base::Result<void> CheckConfig(const Config& config);

}  // namespace storekeeper
