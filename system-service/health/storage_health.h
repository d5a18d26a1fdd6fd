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

// One thing known, or not, about the chip.
struct HealthItem {
    std::string name;  // the attribute's, as the kernel or the HAL spells it
    // Absent: not reported when `problem` is empty, unreadable otherwise.
    std::optional<std::string> value;
    std::string explanation;  // of the value, for people
    std::string problem;
    std::string source;   // "sysfs", "ufs" or "health_hal"
    bool detail = false;  // for JSON alone: texts leave it out
};

// The wear as one source reports it.
struct WearSource {
    std::string name;  // "health_hal", "sysfs", "ufs" or "ext_csd"
    std::string age;   // when the figures were taken from the chip, in words
    WearReading wear;
    std::string
            problem;  // why it reports nothing; empty when it does, or the chip does not report it
};

// What the system reports of the chip of /data.
struct StorageHealth {
    enum class Kind { kUnknown, kEmmc, kUfs };

    Kind kind = Kind::kUnknown;
    std::string device;   // "mmcblk0", "sda"; "" when there is none
    std::string problem;  // why there is none
    // 16 hexadecimal digits that stand for the chip and reveal nothing of it (mounts/chip_id.h); ""
    // when it has no identity.
    std::string chip;
    std::vector<HealthItem> items;
    WearReading wear;  // by the kernel
    // How often a UFS has reported a critical health condition since boot (JESD220G,
    // HEALTH_CRITICAL of wExceptionEventStatus). Absent before UFS 4.1 and Linux 6.15.
    std::optional<uint64_t> critical_health;
    std::optional<uint64_t> sectors;  // capacity in units of 512 bytes
    // What the file system of /data has recorded against itself; "" when nothing.
    std::string filesystem_problem;
    // What the health HAL said, when it was asked.
    std::optional<WearSource> hal;
};

// "emmc", "ufs" or "unknown".
std::string KindName(StorageHealth::Kind kind);

// What the chip says of itself, without the names that each kind's attributes have.
struct ChipFacts {
    std::optional<std::string> maker;  // its name; of an eMMC whose MID is not known, that number
    std::optional<std::string> model;
    std::optional<std::string> firmware;
    std::optional<uint64_t> capacity_bytes;
};

ChipFacts FactsOf(const StorageHealth& health);

// An item whose value is a byte, in hexadecimal; not reported without one.
HealthItem ByteItem(const std::string& name, std::optional<uint8_t> value,
                    std::string (*explain)(uint8_t), const std::string& source);

// Reads the chip's identity and wear: from sysfs, whichever kind it is, and from the health HAL,
// where there is one. `disk`: the number of the disk that holds /data, "179:0", when it is known;
// else, and when it is neither eMMC nor UFS, the first eMMC is taken, then the first UFS. May wait
// for the chip, and as long as the HAL may take. Without `hal` none is asked.
StorageHealth ReadStorageHealth(const FileReader& files, const std::optional<std::string>& disk,
                                DeviceHal* hal);

}  // namespace storekeeper
