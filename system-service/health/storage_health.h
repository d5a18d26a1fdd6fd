// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "health/verdict.h"

namespace storekeeper {

// One thing known, or not, about the chip.
struct HealthItem {
    std::string name;  // the attribute's, as the kernel or the HAL spells it
    // Absent: not reported when `problem` is empty, unreadable otherwise.
    std::optional<std::string> value;
    std::string explanation;  // of the value, for people
    std::string problem;
    std::string source;  // "sysfs", "ufs" or "health_hal"
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
    // 16 hexadecimal digits that stand for the chip and reveal nothing of it (health/chip_id.h); ""
    // when it has no identity.
    std::string chip;
    std::vector<HealthItem> items;
    WearReading wear;                 // by the kernel
    std::optional<uint64_t> sectors;  // capacity in units of 512 bytes
    // What the health HAL said, when it was asked.
    std::optional<WearSource> hal;
};

// "emmc", "ufs" or "unknown".
std::string KindName(StorageHealth::Kind kind);

}  // namespace storekeeper
