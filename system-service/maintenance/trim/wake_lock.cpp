// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/wake_lock.h"

#include <hardware_legacy/power.h>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kName[] = "storekeeper";

}  // namespace

Result<void> AcquireWakeLock() {
    if (acquire_wake_lock(PARTIAL_WAKE_LOCK, kName) != 0) {
        return Error() << "android.system.suspend gives no wake lock '" << kName << "'";
    }
    return {};
}

Result<void> ReleaseWakeLock() {
    if (release_wake_lock(kName) != 0) return Error() << "wake lock '" << kName << "' is not held";
    return {};
}

}  // namespace storekeeper
