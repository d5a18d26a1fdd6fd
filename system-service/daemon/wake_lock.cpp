// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/wake_lock.h"

#include <hardware_legacy/power.h>

namespace storekeeper {

using android::base::Error;
using android::base::Result;

namespace {

constexpr char kWakeLock[] = "storekeeper";

}  // namespace

Result<void> AcquireWakeLock() {
    if (acquire_wake_lock(PARTIAL_WAKE_LOCK, kWakeLock) == 0) return {};
    return Error() << "android.system.suspend gives no wake lock '" << kWakeLock << "'";
}

Result<void> ReleaseWakeLock() {
    if (release_wake_lock(kWakeLock) == 0) return {};
    return Error() << "wake lock '" << kWakeLock << "' is not held";
}

}  // namespace storekeeper
