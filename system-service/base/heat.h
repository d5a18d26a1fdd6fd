// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <optional>
#include <string>
#include <vector>

#include "base/file_reader.h"

namespace storekeeper {

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
