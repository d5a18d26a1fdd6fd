// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/device_hal.h"
#include "base/file_reader.h"
#include "health/verdict.h"

namespace storekeeper {

// One fact about the chip, or the reason why it is unknown.
struct HealthItem {
    std::string name;  // attribute's name, spelled as by the kernel or the HAL
    // Absent with an empty `problem`: not reported. Absent with a `problem`: unreadable.
    std::optional<std::string> value;
    std::string explanation;  // meaning of the value, for people
    std::string problem;
    std::string source;   // "sysfs", "ufs" or "health_hal"
    bool detail = false;  // omitted from texts, only in JSON
};

// Wear figures of one source.
struct WearSource {
    std::string name;  // "health_hal", "sysfs", "ufs" or "ext_csd"
    std::string age;   // time at which the figures were read from the chip, in words
    WearReading wear;
    std::string
            problem;  // reason for missing figures; empty if present or not reported by the chip
};

// The system's knowledge of the chip of /data.
struct StorageHealth {
    enum class Kind { kUnknown, kEmmc, kUfs };

    Kind kind = Kind::kUnknown;
    std::string device;   // "mmcblk0", "sda"; "" if none was found
    std::string problem;  // reason for an empty `device`
    // Chip id, 16 hexadecimal digits without any readable identity (mounts/chip_id.h); "" if the
    // chip has no identity.
    std::string chip;
    std::vector<HealthItem> items;
    WearReading wear;          // the kernel's figures
    std::string wear_problem;  // why a life time is unreadable; "" if none is
    // True if the kernel of a UFS shows a stored life time, which it read when it initialised the
    // chip or at the last resume.
    bool wear_is_cached = false;
    // Number of critical health conditions that a UFS has reported since boot (JESD220G,
    // HEALTH_CRITICAL of wExceptionEventStatus). Absent before UFS 4.1 and Linux 6.15.
    std::optional<uint64_t> critical_health;
    std::optional<uint64_t> sectors;  // capacity in units of 512 bytes
    // Errors that the file system of /data has recorded about itself; "" if none.
    std::string filesystem_problem;
    // The health HAL's figures; absent if it was not queried.
    std::optional<WearSource> hal;
};

// The kind's name: "emmc", "ufs" or "unknown".
std::string KindName(StorageHealth::Kind kind);

// The chip's identity in names common to all kinds of chips.
struct ChipFacts {
    std::optional<std::string> maker;  // name, or the MID of an eMMC if its maker is unknown
    std::optional<std::string> model;
    std::optional<std::string> firmware;
    std::optional<uint64_t> capacity_bytes;
};

ChipFacts ChipFactsOf(const StorageHealth& health);

// An item whose value is a byte in hexadecimal; not reported if `value` is absent.
HealthItem ByteItem(const std::string& name, std::optional<uint8_t> value,
                    std::string (*explain)(uint8_t), const std::string& source);

// Reads the chip's identity and wear from sysfs and, unless `hal` is null, from the health HAL.
// `disk` is the device number of the disk of /data, such as "179:0". Without it, or if that disk is
// neither eMMC nor UFS, the first eMMC is taken, then the first UFS. May wait for the chip and for
// the HAL.
StorageHealth ReadStorageHealth(const FileReader& files, const std::optional<std::string>& disk,
                                DeviceHal* hal);

}  // namespace storekeeper
