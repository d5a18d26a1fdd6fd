// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/power_supply.h"

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

}  // namespace

Result<std::optional<std::string>> FindBattery(const FileReader& files) {
    for (const std::string& name : TRY(files.List(kClass))) {
        std::string supply = std::string(kClass) + "/" + name;
        // A supply that cannot be read is the charger's or level's failure to report.
        if (BelongsToAccessory(files, supply).value_or(true)) continue;
        Result<std::string> type = files.ReadAttribute(supply + "/type");
        if (!type.ok() && type.error().code() == EACCES) return type.error();
        if (type.ok() && *type == "Battery") return supply;
    }
    return std::nullopt;
}

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

}  // namespace storekeeper
