// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Input: a configuration file. An accepted one must have the same meaning when it is written and
// read again.

#include <json/writer.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "config/config_file.h"

using namespace storekeeper;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    android::base::Result<Config> config =
            OverlayConfig(Config{}, std::string(reinterpret_cast<const char*>(data), size));
    if (!config.ok()) {
        if (config.error().message().empty()) __builtin_trap();
        return 0;
    }
    const Json::Value written = ConfigToJson(*config);
    android::base::Result<Config> again =
            OverlayConfig(Config{}, Json::writeString(Json::StreamWriterBuilder(), written));
    if (!again.ok() || ConfigToJson(*again) != written) __builtin_trap();
    return 0;
}
