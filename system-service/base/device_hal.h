// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/diskstats.h"

namespace storekeeper {

// android.hardware.health.StorageInfo, as it came: not checked.
struct HalStorageInfo {
    int32_t eol = 0;
    int32_t lifetime_a = 0;
    int32_t lifetime_b = 0;
    std::string version;
};

// android.hardware.health.DiskStats, as it came: counts since boot, ticks in milliseconds.
struct HalDiskStats {
    int64_t reads = 0;
    int64_t read_merges = 0;
    int64_t read_sectors = 0;
    int64_t read_ticks = 0;
    int64_t writes = 0;
    int64_t write_merges = 0;
    int64_t write_sectors = 0;
    int64_t write_ticks = 0;
    int64_t io_in_flight = 0;
    int64_t io_ticks = 0;
    int64_t io_in_queue = 0;
};

// What android.hardware.health.HealthInfo says of the battery, as it came: not checked.
struct HalBattery {
    bool present = false;
    int32_t level = 0;  // percent
    bool charger_online = false;
    int32_t temperature = 0;  // tenths of a degree Celsius
};

// What is asked of the device's health HAL. An error says why there is no answer: no HAL, not
// supported by it, not answered in time.
class DeviceHal {
  public:
    virtual ~DeviceHal() = default;
    virtual android::base::Result<std::vector<HalStorageInfo>> Storage() = 0;
    virtual android::base::Result<std::vector<HalDiskStats>> Disks() = 0;
    virtual android::base::Result<HalBattery> Battery() = 0;
};

// The answer's first storage, the device's own, found sane. An error, "the health HAL returned an
// invalid value: ...", for what the interface does not allow: no storage or more than any device
// has, eol other than 0 to 3, a lifetime other than 0 to 11.
android::base::Result<HalStorageInfo> CheckedStorage(const std::vector<HalStorageInfo>& answer);

// What the answer's first disk, the device's own, has done. The HAL names no disk and counts no
// discards or flushes. An error, "the health HAL returned an invalid value: ...", for none, more
// than any device has, or a negative count.
android::base::Result<DiskStats> CheckedDisk(const std::vector<HalDiskStats>& answer);

// The battery, its temperature not checked (CheckBatteryHeat()). An error, "the health HAL returned
// an invalid value: ...", for a level that is no percentage.
android::base::Result<HalBattery> CheckedBattery(const HalBattery& answer);

}  // namespace storekeeper
