// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/power_and_heat.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <errno.h>

#include <limits>
#include <string>
#include <utility>

#include "base/quantity_text.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kClass[] = "/sys/class/power_supply";

// Lenovo's kernel lists the coil that powers the pen as "wls_tx", of type Wireless. It is online
// while a pen is attached.
bool IsTransmitter(const std::string& name) {
    return name == "wls_tx";
}

bool IsChargerType(const std::string& type) {
    return type == "Mains" || type == "USB" || type.starts_with("USB_") || type == "Wireless";
}

Result<bool> ReadOnline(const FileReader& files, const std::string& supply) {
    // 0 means offline; 1 and 2 mean online at a fixed or programmable voltage. Vendors use other
    // numbers for cable types.
    return TRY(ReadInt(files, supply + "/online", 0, std::numeric_limits<int>::max(),
                       "a number from 0 on")) > 0;
}

Result<bool> IsCharging(const FileReader& files, const std::string& supply) {
    std::string status = TRY(files.ReadAttribute(supply + "/status"));
    return status == "Charging" || status == "Full" || status == "Not charging";
}

Result<bool> BelongsToAccessory(const FileReader& files, const std::string& supply) {
    if (!files.Exists(supply + "/scope")) return false;
    return TRY(files.ReadAttribute(supply + "/scope")) == "Device";
}

struct Supply {
    std::string path;
    std::string type;
};

// The supplies of the device, without its coils that charge others. An unreadable one may be the
// battery, so the error is returned: an unknown temperature is not a low one.
Result<std::vector<Supply>> ReadSupplies(const FileReader& files) {
    std::vector<Supply> supplies;
    for (const std::string& name : TRY(files.List(kClass))) {
        const std::string path = std::string(kClass) + "/" + name;
        if (IsTransmitter(name) || TRY(BelongsToAccessory(files, path))) continue;
        std::string type = TRY(files.ReadAttribute(path + "/type"));
        supplies.push_back({path, std::move(type)});
    }
    return supplies;
}

// The device's battery is the first one that reports a charge. Vendors use the type for other
// drivers as well: the authentication chip "batt_verify" of Xiaomi has no `capacity`.
std::optional<std::string> FindBattery(const FileReader& files,
                                       const std::vector<Supply>& supplies) {
    std::optional<std::string> battery;
    for (const Supply& supply : supplies) {
        if (supply.type != "Battery") continue;
        if (files.Exists(supply.path + "/capacity")) return supply.path;
        if (!battery.has_value()) battery = supply.path;
    }
    return battery;
}

// A device may have a hundred zones that are off; three are enough in a message.
constexpr size_t kMaxProblems = 3;

Result<int> Implausible(const std::string& sensor, int64_t value) {
    return Error(ERANGE) << sensor << " is '" << value
                         << "', which no running phone has: the sensor is left out";
}

// Reads the raw number of a temperature file.
Result<int64_t> ReadSensor(const FileReader& files, const std::string& path) {
    const std::string text = TRY(files.ReadAttribute(path));
    int64_t value = 0;
    if (android::base::ParseInt(text, &value)) return value;
    return Error(ERANGE) << path << " is '" << text.substr(0, 20)
                         << "', not a temperature: the sensor is left out";
}

// Zones without a thermometer. Their numbers look like temperatures.
//
// Qualcomm's battery current limiter (bcl_pmic5.c, bcl_soc.c) registers zones of milliamperes and
// millivolts ("ibat", "vbat"), of alarm levels ("pm8150b-bcl-lvl0") and, as "soc" and "socd", of
// percentages. Elsewhere "soc" is a chip's temperature, which is in thousandths of a degree.
//
// Google's (google_bcl.c, google_battery.c of the Pixel 6 and later) registers the thresholds of
// its alarms in milliamperes ("ocp_gpu", "soft_ocp_cpu1", "batoilo") and in millivolts below 4.2 V
// ("smpl_gm", "vdroop1"), and the battery's charge cycles ("battery_cycle").
//
// Qualcomm's hardware that limits the processors' clocks (msm_lmh_dcvs.c) cannot read its
// thermometer: its zones "lmh-dcvs-00" and "lmh-dcvs-01" always read 75000.
bool IsNoThermometer(const FileReader& files, const std::string& zone, const std::string& type) {
    for (const char* quantity : {"ibat", "vbat", "-lvl"}) {
        if (type.find(quantity) != std::string::npos) return true;
    }
    for (const char* prefix : {"ocp_", "soft_ocp_", "batoilo", "smpl_", "vdroop", "lmh-dcvs-"}) {
        if (type.starts_with(prefix)) return true;
    }
    if (type == "battery_cycle") return true;
    if (type != "soc" && type != "socd") return false;
    return ReadInt(files, zone + "/temp", 0, 100, "a percentage").ok();
}

// Converts to tenths of a degree. At most one unit gives the temperature of a running phone,
// because 92 thousandths of a degree would be a frozen one.
Result<int> ReadZone(const FileReader& files, const std::string& path) {
    constexpr int64_t kWholeDegreesBelow = kHottestTenths / 10;
    const int64_t value = TRY(ReadSensor(files, path));
    int64_t tenths = value / 100;
    if (value > -kWholeDegreesBelow && value < kWholeDegreesBelow) {
        tenths = value * 10;
    } else if (value > -kHottestTenths && value < kHottestTenths) {
        tenths = value;
    }
    // A sensor that is off reads 0.
    if (value == 0 || tenths <= kColdestTenths || tenths >= kHottestTenths) {
        return Implausible(path, value);
    }
    return static_cast<int>(tenths);
}

}  // namespace

Result<PowerReading> ReadPowerSupply(const FileReader& files) {
    PowerReading reading;
    bool has_charger = false;
    const std::vector<Supply> supplies = TRY(ReadSupplies(files));
    for (const Supply& supply : supplies) {
        if (!IsChargerType(supply.type) || !files.Exists(supply.path + "/online")) continue;
        has_charger = true;
        reading.on_charger |= TRY(ReadOnline(files, supply.path));
    }
    const std::optional<std::string> battery = FindBattery(files, supplies);
    if (!battery.has_value()) {
        reading.on_charger = true;
        return reading;
    }
    reading.has_battery = true;
    reading.percent = TRY(ReadInt(files, *battery + "/capacity", 0, 100, "a percentage"));
    if (!has_charger) {
        // "Not charging" means that a connected charger does not charge the battery.
        reading.on_charger = TRY(IsCharging(files, *battery));
    }
    return reading;
}

Result<int> CheckBatteryHeat(const std::string& sensor, int64_t tenths) {
    if (tenths > kColdestTenths && tenths < kHottestBatteryTenths) return static_cast<int>(tenths);
    return Implausible(sensor, tenths);
}

Result<std::optional<int>> ReadBatteryHeat(const FileReader& files) {
    const std::optional<std::string> battery = FindBattery(files, TRY(ReadSupplies(files)));
    if (!battery.has_value()) return std::nullopt;
    std::string path = *battery + "/temp";
    Result<int64_t> value = ReadSensor(files, path);
    if (!value.ok() && value.error().code() == ENOENT) {
        // MediaTek's older kernels have it under this name, in the same unit.
        path = *battery + "/batt_temp";
        value = ReadSensor(files, path);
    }
    // Only an absent file means "not reported"; an unreadable one is an error, because an unknown
    // temperature is not a low one.
    if (!value.ok() && value.error().code() == ENOENT) return std::nullopt;
    if (!value.ok()) return value.error();
    return TRY(CheckBatteryHeat(path, *value));
}

ZoneReading ReadZones(const FileReader& files) {
    ZoneReading reading;
    Result<std::vector<std::string>> names = files.List(kThermal);
    if (!names.ok()) return reading;  // a kernel without thermal zones
    std::vector<std::string> unreadable;
    for (const std::string& name : *names) {
        if (!android::base::StartsWith(name, "thermal_zone")) continue;
        const std::string zone = std::string(kThermal) + "/" + name;
        const std::string type = files.ReadAttribute(zone + "/type").value_or(name);
        if (IsNoThermometer(files, zone, type)) continue;
        Result<int> heat = ReadZone(files, zone + "/temp");
        if (!heat.ok()) {
            auto& problems = heat.error().code() == ERANGE ? reading.problems : unreadable;
            problems.push_back(heat.error().message());
        } else if (!reading.hottest.has_value() || *heat > *reading.hottest) {
            reading.hottest = *heat;
            reading.name = type;
        }
    }
    std::vector<std::string>& problems = reading.problems;
    problems.insert(problems.end(), unreadable.begin(), unreadable.end());
    if (problems.size() > kMaxProblems) {
        const size_t more = problems.size() - kMaxProblems;
        problems.resize(kMaxProblems);
        problems.push_back(Counted(more, "more zone") + (more == 1 ? " is" : " are") + " left out");
    }
    return reading;
}

}  // namespace storekeeper
