// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "platform/device_hal.h"

namespace storekeeper {

// Asks a HAL that may never answer, and waits no longer than its patience. The question stands in a
// thread of its own, one at a time: while one is not answered no other is asked. A late answer is
// dropped. May be called from any thread.
class PatientHal : public DeviceHal {
  public:
    PatientHal(std::shared_ptr<DeviceHal> hal, std::chrono::milliseconds patience);

    android::base::Result<std::vector<HalStorageInfo>> Storage() override;
    android::base::Result<std::vector<HalDiskStats>> Disks() override;
    android::base::Result<HalBattery> Battery() override;

  private:
    template <typename Answer>
    Answer Ask(Answer (DeviceHal::*question)());

    const std::shared_ptr<DeviceHal> hal_;
    const std::chrono::milliseconds patience_;
    // Shared with the thread, which may outlive this object.
    const std::shared_ptr<std::atomic<bool>> asking_;
};

}  // namespace storekeeper
