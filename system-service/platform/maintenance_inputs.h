// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <optional>
#include <string>
#include <vector>

#include "platform/clock.h"

namespace storekeeper {

struct PowerReading {
    // Without a battery the device lives on mains power: on_charger is then true.
    bool has_battery = false;
    int percent = 0;  // 0-100, meaningful with a battery
    bool on_charger = false;
};

struct InteractionReading {
    // Absent where nothing reports the screen.
    std::optional<bool> screen_on;
    // The last touch, key or moment the screen may have been on; or the moment watching began, for
    // nothing is known of the time before. Absent while nobody watches.
    std::optional<BootTime> last_input;
};

// The hottest of the zones that report a temperature.
struct ZoneReading {
    std::optional<int> hottest;  // tenths of a degree Celsius
    std::string name;
    std::vector<std::string> problems;  // of the others
};

struct StorageReading {
    // How busy it was in the last seconds; absent without a measure.
    std::optional<int> busy_percent;
    int64_t in_flight = 0;  // requests under way
    std::string source;     // what busy_percent is
};

// A checkpoint of vold: until it is committed, a failed boot rolls the file system back, and what
// was trimmed meanwhile is gone.
struct CheckpointReading {
    bool pending = false;
    std::string evidence;
};

struct MaintenanceReadings {
    android::base::Result<PowerReading> power;
    android::base::Result<InteractionReading> interaction;
    // Tenths of a degree Celsius; nullopt when the battery reports none.
    android::base::Result<std::optional<int>> battery_heat = std::optional<int>();
    ZoneReading zones = {};
    android::base::Result<StorageReading> storage = StorageReading();
    android::base::Result<CheckpointReading> checkpoint = CheckpointReading();
    // The framework's smart idle maintenance is enabled.
    bool framework_maintains = false;
};

// What decides whether the owner would notice maintenance now. A failure to read is part of the
// answer, so that a report can name it.
class MaintenanceInputs {
  public:
    virtual ~MaintenanceInputs() = default;
    // `watch_input`: whether input devices are worth having open. Until they are, the time of the
    // last input is not known. `wait`: for others who know, as a decision does.
    // Without, for an observer: what they said last is taken, and what the next decision measures
    // stays as it is.
    virtual MaintenanceReadings Read(bool watch_input, bool wait) = 0;
};

}  // namespace storekeeper
