// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "health/verdict.h"
#include "platform/file_reader.h"

namespace storekeeper {

// One thing known, or not, about the card.
struct HealthItem {
    std::string name;  // the sysfs attribute's
    // Absent: not reported when `problem` is empty, unreadable otherwise.
    std::optional<std::string> value;
    std::string explanation;  // of the value, for people
    std::string problem;
};

struct MmcHealth {
    std::string device;   // "mmcblk0"; "" when there is none
    std::string problem;  // why there is none
    std::vector<HealthItem> items;
    WearReading wear;
    std::optional<uint64_t> sectors;  // capacity in units of 512 bytes
};

// Reads the first eMMC's identity and wear from /sys/block/mmcblk*/device. Each attribute stands
// for itself: one that is missing or garbage leaves the rest as it is. The card's serial number
// does not appear. The kernel caches these values at card initialisation: within one boot the wear
// does not move.
MmcHealth ReadMmcHealth(const FileReader& files);

}  // namespace storekeeper
