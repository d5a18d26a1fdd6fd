// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
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

// Reads /sys/class/power_supply (Documentation/ABI/testing/sysfs-class-power). A charger is a
// supply of type Mains, USB, USB_* or Wireless, as in AOSP's BatteryMonitor: vendors have supplies
// of other types for their fuel gauge or for feeding a USB device. Accessories (scope "Device") do
// not count.
android::base::Result<PowerReading> ReadPowerSupply(const FileReader& files);

// Temperatures of a running phone lie between these, in tenths of a degree Celsius. An open or
// shorted thermistor reads as an end of its table, -40 or 125 degrees; a lithium cell burns before
// it has 100.
inline constexpr int kColdestTenths = -400;
inline constexpr int kHottestTenths = 1250;
inline constexpr int kHottestBatteryTenths = 1000;

// A battery's temperature, in tenths of a degree Celsius. The error ERANGE names the sensor: it is
// broken, since no running phone has that.
android::base::Result<int> CheckBatteryHeat(const std::string& sensor, int64_t tenths);

// POWER_SUPPLY_PROP_TEMP of the device's battery, in tenths of a degree Celsius
// (Documentation/ABI/testing/sysfs-class-power); nullopt when it reports none. The error ERANGE: as
// of CheckBatteryHeat().
android::base::Result<std::optional<int>> ReadBatteryHeat(const FileReader& files);

inline constexpr char kThermal[] = "/sys/class/thermal";

// The hottest of the zones that report a temperature.
struct ZoneReading {
    std::optional<int> hottest;  // tenths of a degree Celsius
    std::string name;
    // Why others are left out: broken ones first, then those that cannot be read, as some cannot
    // while their hardware is off.
    std::vector<std::string> problems;
};

// /sys/class/thermal/thermal_zone*/temp (Documentation/driver-api/thermal/sysfs-api.rst).
// Thousandths of a degree; old drivers have tenths or whole degrees, which the magnitude shows.
ZoneReading ReadZones(const FileReader& files);

}  // namespace storekeeper
