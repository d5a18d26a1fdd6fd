// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/patient_hal.h"

#include <utility>

namespace storekeeper {

using android::base::Result;

PatientHal::PatientHal(std::shared_ptr<DeviceHal> hal, std::chrono::milliseconds patience,
                       size_t stack_bytes)
      : hal_(std::move(hal)), patience_("the health HAL", patience, stack_bytes) {}

Result<std::vector<HalStorageInfo>> PatientHal::Storage() {
    return patience_.Ask<std::vector<HalStorageInfo>>([hal = hal_] { return hal->Storage(); });
}

Result<std::vector<HalDiskStats>> PatientHal::Disks() {
    return patience_.Ask<std::vector<HalDiskStats>>([hal = hal_] { return hal->Disks(); });
}

Result<HalBattery> PatientHal::Battery() {
    return patience_.Ask<HalBattery>([hal = hal_] { return hal->Battery(); });
}

}  // namespace storekeeper
