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
    // A device without a battery lives on mains power: on_charger is then true.
    bool has_battery = false;
    int percent = 0;  // 0-100, meaningful with a battery
    bool on_charger = false;
};

// Reads /sys/class/power_supply (Documentation/ABI/testing/sysfs-class-power). As in AOSP's
// BatteryMonitor, a charger is a supply of type Mains, USB, USB_* or Wireless; vendors use other
// types for a fuel gauge or for powering a USB device. Accessories (scope "Device") are ignored.
android::base::Result<PowerReading> ReadPowerSupply(const FileReader& files);

// Bounds of the temperature of a running phone, in tenths of a degree Celsius. An open or shorted
// thermistor reads as an end of its table, -40 or 125 degrees; a lithium cell burns below 100
// degrees.
inline constexpr int kColdestTenths = -400;
inline constexpr int kHottestTenths = 1250;
inline constexpr int kHottestBatteryTenths = 1000;

// Checks a battery temperature in tenths of a degree Celsius. ERANGE means that the sensor is
// broken, because no running phone has this temperature; the message names the sensor.
android::base::Result<int> CheckBatteryHeat(const std::string& sensor, int64_t tenths);

// POWER_SUPPLY_PROP_TEMP of the device's battery, in tenths of a degree Celsius
// (Documentation/ABI/testing/sysfs-class-power); nullopt if the battery does not report it. ERANGE
// means a broken sensor, as in CheckBatteryHeat().
android::base::Result<std::optional<int>> ReadBatteryHeat(const FileReader& files);

inline constexpr char kThermal[] = "/sys/class/thermal";

// The hottest thermal zone with a plausible temperature.
struct ZoneReading {
    std::optional<int> hottest;  // tenths of a degree Celsius
    std::string name;
    // Reasons for the zones that were left out: broken ones first, then unreadable ones, such as
    // zones whose hardware is off.
    std::vector<std::string> problems;
};

// Reads /sys/class/thermal/thermal_zone*/temp (Documentation/driver-api/thermal/sysfs-api.rst), in
// thousandths of a degree. Old drivers use tenths or whole degrees, which the magnitude reveals.
// Zones of currents, voltages, counts and constants are no thermometers and are skipped.
ZoneReading ReadZones(const FileReader& files);

}  // namespace storekeeper
