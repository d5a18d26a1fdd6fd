// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <vector>

#include "base/device_hal.h"

namespace storekeeper {

// The health HAL android.hardware.health.IHealth/default by binder. It is looked up at each call,
// without waiting for its start; a call waits as long as the HAL takes (PatientHal does not).
class HealthHal : public DeviceHal {
  public:
    android::base::Result<std::vector<HalStorageInfo>> Storage() override;
    android::base::Result<std::vector<HalDiskStats>> Disks() override;
    android::base::Result<HalBattery> Battery() override;
};

}  // namespace storekeeper
