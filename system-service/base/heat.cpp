// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/heat.h"

#include <android-base/strings.h>

#include "base/power_supply.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Result;

// A device may have a hundred zones that are off; three are enough.
constexpr size_t kMaxProblems = 3;

// A temperature in tenths of a degree from a file that holds it `factor` times as fine.
Result<int> ReadTenths(const FileReader& files, const std::string& path, int factor) {
    return TRY(ReadInt(files, path, kColdestTenths * factor, kHottestTenths * factor,
                       "a temperature")) /
           factor;
}

}  // namespace

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
