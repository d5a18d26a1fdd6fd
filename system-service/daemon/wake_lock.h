// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

namespace storekeeper {

// Keeps the device from suspending: a wake lock of android.system.suspend, by libpower, which needs
// no capability (the kernel's own /sys/power/wake_lock wants CAP_BLOCK_SUSPEND). It ends with the
// process that holds it. Acquiring twice is one lock. An error means that the device may suspend; a
// run then goes on when it wakes.
android::base::Result<void> AcquireWakeLock();
android::base::Result<void> ReleaseWakeLock();

}  // namespace storekeeper
