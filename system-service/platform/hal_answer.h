// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <vector>

#include "platform/device_hal.h"
#include "platform/diskstats.h"

namespace storekeeper {

// The answer's first storage, the device's own, found sane. An error, "HAL answered nonsense: ...",
// for what the interface does not allow: no storage or more than any device has, eol other than 0
// to 3, a lifetime other than 0 to 11.
android::base::Result<HalStorageInfo> CheckedStorage(const std::vector<HalStorageInfo>& answer);

// What the answer's first disk, the device's own, has done. The HAL names no disk and counts no
// discards or flushes. An error, "HAL answered nonsense: ...", for none, more than any device has,
// or a negative count.
android::base::Result<DiskStats> CheckedDisk(const std::vector<HalDiskStats>& answer);

// The battery found sane. An error, "HAL answered nonsense: ...", for a level that is no percentage
// or a temperature that no sensor of a phone tells.
android::base::Result<HalBattery> CheckedBattery(const HalBattery& answer);

}  // namespace storekeeper
