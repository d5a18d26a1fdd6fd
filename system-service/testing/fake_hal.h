// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "base/device_hal.h"
#include "base/try.h"

namespace storekeeper {

// A health HAL with the given answers. Without one, it reports that there is no HAL.
class FakeHal : public DeviceHal {
  public:
    android::base::Result<std::vector<HalStorageInfo>> Storage() override { return storage; }
    android::base::Result<std::vector<HalDiskStats>> Disks() override { return disks; }
    android::base::Result<HalBattery> Battery() override { return battery; }

    android::base::Result<std::vector<HalStorageInfo>> storage = None();
    android::base::Result<std::vector<HalDiskStats>> disks = None();
    android::base::Result<HalBattery> battery = None();

  private:
    static ResultFailure None() { return {"no HAL", 0}; }
};

}  // namespace storekeeper
