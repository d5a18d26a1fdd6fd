// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/health_hal.h"

namespace storekeeper {

// Android 11 and 12 have no health HAL by AIDL.
std::shared_ptr<DeviceHal> MakeHealthHal() {
    return MakeHidlHealthHal();
}

}  // namespace storekeeper
