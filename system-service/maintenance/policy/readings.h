// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/power_and_heat.h"

namespace storekeeper {

struct InteractionReading {
    // Absent where nothing reports the screen.
    std::optional<bool> screen_on;
    // The last touch, key or moment the screen may have been on; or the moment watching began, for
    // nothing is known of the time before. Absent while nobody watches.
    std::optional<BootTime> last_input;
};

struct StorageReading {
    // How busy it was in the last seconds; absent without a measure.
    std::optional<int> busy_percent;
    int64_t in_flight = 0;  // requests in flight
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

}  // namespace storekeeper
