// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <optional>
#include <string>
#include <vector>

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

// The hottest of the zones that report a temperature.
struct ZoneReading {
    std::optional<int> hottest;  // tenths of a degree Celsius
    std::string name;
    std::vector<std::string> problems;  // of the others
};

inline constexpr char kThermal[] = "/sys/class/thermal";

// Tenths of a degree Celsius; beyond these a sensor does not measure a phone.
inline constexpr int kColdestTenths = -400;
inline constexpr int kHottestTenths = 1500;

// POWER_SUPPLY_PROP_TEMP of the device's battery, in tenths of a degree Celsius
// (Documentation/ABI/testing/sysfs-class-power); nullopt when it reports none.
android::base::Result<std::optional<int>> ReadBatteryHeat(const FileReader& files);

// /sys/class/thermal/thermal_zone*/temp (Documentation/driver-api/thermal/sysfs-api.rst). A zone
// that cannot be read is a problem of its own; some cannot while their hardware is off.
ZoneReading ReadZones(const FileReader& files);

}  // namespace storekeeper
