// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <string>

#include "base/device_hal.h"
#include "base/file_reader.h"
#include "health/storage_health.h"

namespace storekeeper {

// Reads the chip's identity and wear: from sysfs, whichever kind it is, and from the health HAL,
// where there is one. `disk`: the number of the disk that holds /data, "179:0", when it is known;
// else, and when it is neither eMMC nor UFS, the first eMMC is taken, then the first UFS. May wait
// for the chip, and as long as the HAL may take. Without `hal` none is asked.
StorageHealth ReadStorageHealth(const FileReader& files, const std::optional<std::string>& disk,
                                DeviceHal* hal);

}  // namespace storekeeper
