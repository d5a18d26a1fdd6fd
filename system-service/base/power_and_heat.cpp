// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/power_and_heat.h"

#include <android-base/strings.h>

#include <string>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kClass[] = "/sys/class/power_supply";

Result<bool> ReadOnline(const FileReader& files, const std::string& supply) {
    // 0 offline, 1 online at a fixed voltage, 2 online at a programmable one.
    return TRY(ReadInt(files, supply + "/online", 0, 2, "0, 1 or 2")) > 0;
}

Result<bool> IsCharging(const FileReader& files, const std::string& supply) {
    std::string status = TRY(files.ReadAttribute(supply + "/status"));
    return status == "Charging" || status == "Full" || status == "Not charging";
}

Result<bool> BelongsToAccessory(const FileReader& files, const std::string& supply) {
    if (!files.Exists(supply + "/scope")) return false;
    return TRY(files.ReadAttribute(supply + "/scope")) == "Device";
}

Result<std::optional<std::string>> FindBattery(const FileReader& files) {
    for (const std::string& name : TRY(files.List(kClass))) {
        std::string supply = std::string(kClass) + "/" + name;
        // One that cannot be read may be the battery: that is no sign of a cold one.
        if (TRY(BelongsToAccessory(files, supply))) continue;
        if (TRY(files.ReadAttribute(supply + "/type")) == "Battery") return supply;
    }
    return std::nullopt;
}

// A device may have a hundred zones that are off; three are enough.
constexpr size_t kMaxProblems = 3;

// A temperature in tenths of a degree from a file that holds it `factor` times as fine.
Result<int> ReadTenths(const FileReader& files, const std::string& path, int factor) {
    return TRY(ReadInt(files, path, kColdestTenths * factor, kHottestTenths * factor,
                       "a temperature")) /
           factor;
}

}  // namespace

Result<PowerReading> ReadPowerSupply(const FileReader& files) {
    PowerReading reading;
    bool has_charger = false;
    std::string battery;
    for (const std::string& name : TRY(files.List(kClass))) {
        std::string supply = std::string(kClass) + "/" + name;
        if (TRY(BelongsToAccessory(files, supply))) continue;
        std::string type = TRY(files.ReadAttribute(supply + "/type"));
        if (type != "Battery") {
            // healthd takes what has no `online` for no charger: Qualcomm's fuel gauge "bms".
            if (!files.Exists(supply + "/online")) continue;
            has_charger = true;
            reading.on_charger |= TRY(ReadOnline(files, supply));
        } else if (battery.empty()) {
            battery = supply;
            reading.has_battery = true;
            reading.percent = TRY(ReadInt(files, supply + "/capacity", 0, 100, "a percentage"));
        }
    }
    if (!reading.has_battery) {
        reading.on_charger = true;
    } else if (!has_charger) {
        // "Not charging" is a battery kept from charging by a charger that is there.
        reading.on_charger = TRY(IsCharging(files, battery));
    }
    return reading;
}

Result<std::optional<int>> ReadBatteryHeat(const FileReader& files) {
    std::optional<std::string> battery = TRY(FindBattery(files));
    if (!battery.has_value()) return std::nullopt;
    Result<int> heat = ReadTenths(files, *battery + "/temp", 1);
    // Not what may not be read: that is no sign of a cold battery.
    if (!heat.ok() && heat.error().code() == ENOENT) return std::nullopt;
    if (!heat.ok()) return heat.error();
    return *heat;
}

ZoneReading ReadZones(const FileReader& files) {
    ZoneReading reading;
    Result<std::vector<std::string>> names = files.List(kThermal);
    if (!names.ok()) return reading;  // a kernel without thermal zones
    size_t problems = 0;
    for (const std::string& name : *names) {
        if (!android::base::StartsWith(name, "thermal_zone")) continue;
        const std::string zone = std::string(kThermal) + "/" + name;
        Result<int> heat = ReadTenths(files, zone + "/temp", 100);
        if (!heat.ok()) {
            if (++problems <= kMaxProblems) reading.problems.push_back(heat.error().message());
        } else if (!reading.hottest.has_value() || *heat > *reading.hottest) {
            reading.hottest = *heat;
            reading.name = files.ReadAttribute(zone + "/type").value_or(name);
        }
    }
    if (problems > kMaxProblems) {
        reading.problems.push_back(std::to_string(problems - kMaxProblems) +
                                   " more zones cannot be read");
    }
    return reading;
}

}  // namespace storekeeper
