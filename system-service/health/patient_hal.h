// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <memory>
#include <vector>

#include "base/device_hal.h"
#include "base/thread.h"

namespace storekeeper {

// Asks a HAL that may never answer. The question stands in a thread of its own, one at a time:
// others wait for their turn. Each waits at most its patience for its turn and as long for its
// answer; once a question has outlasted that, all others are refused at once until the HAL answers
// it. A late answer is dropped. May be called from any thread.
class PatientHal : public DeviceHal {
  public:
    // `stack_bytes`: of the thread.
    PatientHal(std::shared_ptr<DeviceHal> hal, std::chrono::milliseconds patience,
               size_t stack_bytes = Thread::kUsualStack);

    android::base::Result<std::vector<HalStorageInfo>> Storage() override;
    android::base::Result<std::vector<HalDiskStats>> Disks() override;
    android::base::Result<HalBattery> Battery() override;

  private:
    // Who asks. The thread that asks may outlive this object.
    struct Desk;

    template <typename Answer>
    Answer Ask(Answer (DeviceHal::*question)());

    const std::shared_ptr<DeviceHal> hal_;
    const std::chrono::milliseconds patience_;
    const size_t stack_bytes_;
    const std::shared_ptr<Desk> desk_;
};

}  // namespace storekeeper
