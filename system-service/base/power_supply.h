// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <optional>
#include <string>

#include "base/file_reader.h"

namespace storekeeper {

struct PowerReading {
    // Without a battery the device lives on mains power: on_charger is then true.
    bool has_battery = false;
    int percent = 0;  // 0-100, meaningful with a battery
    bool on_charger = false;
};

// Reads /sys/class/power_supply (Documentation/ABI/testing/sysfs-class-power). Batteries of
// accessories (scope "Device") do not count.
android::base::Result<PowerReading> ReadPowerSupply(const FileReader& files);

// The folder of the device's battery; nullopt without one.
android::base::Result<std::optional<std::string>> FindBattery(const FileReader& files);

}  // namespace storekeeper
