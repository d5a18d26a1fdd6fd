// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "base/device_hal.h"

namespace storekeeper {

// Converts the HAL's answer; the fields have the same names in AIDL and HIDL.
template <typename Answer>
std::vector<HalStorageInfo> StoragesOf(const Answer& answer) {
    std::vector<HalStorageInfo> storages;
    for (const auto& info : answer) {
        storages.push_back({.eol = info.eol,
                            .lifetime_a = info.lifetimeA,
                            .lifetime_b = info.lifetimeB,
                            .version = info.version});
    }
    return storages;
}

template <typename Answer>
std::vector<HalDiskStats> DisksOf(const Answer& answer) {
    std::vector<HalDiskStats> disks;
    for (const auto& disk : answer) {
        disks.push_back({.reads = static_cast<int64_t>(disk.reads),
                         .read_merges = static_cast<int64_t>(disk.readMerges),
                         .read_sectors = static_cast<int64_t>(disk.readSectors),
                         .read_ticks = static_cast<int64_t>(disk.readTicks),
                         .writes = static_cast<int64_t>(disk.writes),
                         .write_merges = static_cast<int64_t>(disk.writeMerges),
                         .write_sectors = static_cast<int64_t>(disk.writeSectors),
                         .write_ticks = static_cast<int64_t>(disk.writeTicks),
                         .io_in_flight = static_cast<int64_t>(disk.ioInFlight),
                         .io_ticks = static_cast<int64_t>(disk.ioTicks),
                         .io_in_queue = static_cast<int64_t>(disk.ioInQueue)});
    }
    return disks;
}

// The health HAL of the device: android.hardware.health.IHealth/default (AIDL) if the device
// declares it, else android.hardware.health@2.0 (HIDL). A call does not wait for the HAL's start,
// but for its answer without a limit; PatientHal adds one.
std::shared_ptr<DeviceHal> MakeHealthHal();

// The HIDL one. Vendor images for Android 12 and older have no other, nor have some newer builds
// for such phones.
std::shared_ptr<DeviceHal> MakeHidlHealthHal();

}  // namespace storekeeper
