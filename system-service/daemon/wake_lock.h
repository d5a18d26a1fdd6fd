// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

namespace storekeeper {

// Keeps the device from suspending: a wake lock of android.system.suspend, by libpower. It needs no
// capability, unlike the kernel's /sys/power/wake_lock, which wants CAP_BLOCK_SUSPEND. It ends with
// the process that holds it. A second acquisition does not add a second lock. An error means that
// the device may suspend; a run then continues after the next wake-up.
android::base::Result<void> AcquireWakeLock();
android::base::Result<void> ReleaseWakeLock();

}  // namespace storekeeper
