// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <memory>
#include <vector>

#include "base/device_hal.h"
#include "base/patience.h"

namespace storekeeper {

// Queries a HAL that may never answer, by Patience. May be called from any thread.
class PatientHal : public DeviceHal {
  public:
    // `stack_bytes` is the stack size of the querying thread.
    PatientHal(std::shared_ptr<DeviceHal> hal, std::chrono::milliseconds patience,
               size_t stack_bytes = Thread::kUsualStack);

    android::base::Result<std::vector<HalStorageInfo>> Storage() override;
    android::base::Result<std::vector<HalDiskStats>> Disks() override;
    android::base::Result<HalBattery> Battery() override;

  private:
    const std::shared_ptr<DeviceHal> hal_;
    Patience patience_;
};

}  // namespace storekeeper
