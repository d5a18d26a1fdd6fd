// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/diskstats.h"

namespace storekeeper {

// android.hardware.health.StorageInfo, unchecked.
struct HalStorageInfo {
    int32_t eol = 0;
    int32_t lifetime_a = 0;
    int32_t lifetime_b = 0;
    std::string version;
};

// android.hardware.health.DiskStats, unchecked: counts since boot, ticks in milliseconds.
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

// The battery fields of android.hardware.health.HealthInfo, unchecked.
struct HalBattery {
    bool present = false;
    int32_t level = 0;  // percent
    bool charger_online = false;
    int32_t temperature = 0;  // tenths of a degree Celsius
};

// Queries to the device's health HAL. An error gives the reason for a missing answer: no HAL, a
// query that it does not support, or a timeout.
class DeviceHal {
  public:
    virtual ~DeviceHal() = default;
    virtual android::base::Result<std::vector<HalStorageInfo>> Storage() = 0;
    virtual android::base::Result<std::vector<HalDiskStats>> Disks() = 0;
    virtual android::base::Result<HalBattery> Battery() = 0;
};

// The answer's first storage, which is the device's own. Values that the interface forbids are an
// error, "the health HAL returned an invalid value: ...": no storage, more than any device has, eol
// outside 0 to 3, or a lifetime outside 0 to 11.
android::base::Result<HalStorageInfo> CheckedStorage(const std::vector<HalStorageInfo>& answer);

// The counters of the answer's first disk, which is the device's own. The HAL gives no disk names
// and counts neither discards nor flushes. No disk, more than any device has, or a negative count
// is an error, "the health HAL returned an invalid value: ...".
android::base::Result<DiskStats> CheckedDisk(const std::vector<HalDiskStats>& answer);

// The battery; CheckBatteryHeat() checks its temperature. A level outside 0 to 100 is an error,
// "the health HAL returned an invalid value: ...".
android::base::Result<HalBattery> CheckedBattery(const HalBattery& answer);

}  // namespace storekeeper
