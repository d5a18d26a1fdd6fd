// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>

namespace storekeeper {

// Every number of the policy. The defaults, with their sources; config/config_keys.cpp names each
// for the configuration files.
struct PolicyConfig {
    // Android 4.3's idle maintenance, as published (AnandTech, 2013): untouched for more than an
    // hour, no window in the last 24 h, battery at 80 % off charger or 30 % on charger.
    std::chrono::seconds min_untouched = std::chrono::hours(1);
    std::chrono::seconds interval = std::chrono::hours(24);
    int min_percent_on_battery = 80;
    int min_percent_on_charger = 30;
    // Where these two stop as a run grows overdue. 40: half a battery keeps a phone through its
    // day. 20: Android 4.3 went on with a window that was open while the battery was above it.
    int floor_percent_on_battery = 40;
    int floor_percent_on_charger = 20;

    // Battery temperature in tenths of a degree Celsius, as power_supply has it. 45 degrees is
    // where lithium cells must not be charged any more (JEITA guideline); 40 keeps away from it.
    int max_battery_heat = 400;
    int never_battery_heat = 450;
    // The hottest thermal zone, same unit. Processors throttle from 85 to 95 degrees; a phone at
    // rest stays below 60.
    int max_zone_heat = 700;
    int never_zone_heat = 850;

    // Share of the last ten seconds in which somebody waited for I/O (/proc/pressure/io), or in
    // which the device worked (/proc/diskstats), in percent; and requests in flight.
    int max_io_percent = 10;
    int max_io_in_flight = 1;

    // A run that was stopped or failed is not repeated sooner.
    std::chrono::seconds min_retry = std::chrono::hours(1);
    // Powered time since the last complete run after which the soft gates are open. From the
    // interval to here they relax in steps. Twice the 3 days after which AOSP's
    // StorageManagerService trims at boot, and a day.
    std::chrono::seconds deadline = std::chrono::hours(24 * 7);
    int relax_steps = 4;
    // The framework's smart idle maintenance drives garbage collection and trims itself.
    bool yield_to_framework = true;

    // The closed loop. Freed in one run per 1000 bytes of the file systems: an ordinary phone frees
    // 2 a day (1 GB of 16 GB a month, AnandTech 2013), so 20 is ten busy days, and 1 is not worth
    // it.
    int freed_much_permille = 20;
    int freed_little_permille = 1;
    // Improvement of the 99th percentile of the latency probe by one run, percent.
    int gain_much_percent = 10;
    std::chrono::seconds min_interval = std::chrono::hours(12);
    std::chrono::seconds max_interval = std::chrono::hours(24 * 4);

    // Looked again after this when only an event can open a gate: drivers that never report a
    // change exist.
    std::chrono::seconds event_fallback = std::chrono::hours(1);
    // Heat and busy storage announce nothing; they are read anew after this.
    std::chrono::seconds recheck = std::chrono::minutes(10);
};

}  // namespace storekeeper
