// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <vector>

#include "platform/storage_hal.h"

namespace storekeeper {

// The answer's first storage, the device's own, found sane. An error, "HAL answered nonsense: ...",
// for what the interface does not allow: no storage or more than any device has, eol other than 0
// to 3, a lifetime other than 0 to 11.
android::base::Result<HalStorageInfo> CheckedStorage(const std::vector<HalStorageInfo>& answer);

// The answer itself. An error for a negative count.
android::base::Result<std::vector<HalDiskStats>> CheckedDisks(
        const std::vector<HalDiskStats>& answer);

}  // namespace storekeeper
