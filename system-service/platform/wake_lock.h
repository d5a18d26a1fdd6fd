// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <string>

namespace storekeeper {

// Keeps the device from suspending while the storage works.
class WakeLock {
  public:
    virtual ~WakeLock() = default;
    // Held until Release(), or until this long has passed without another call: a daemon that dies
    // keeps no device awake.
    virtual android::base::Result<void> Acquire(std::chrono::nanoseconds at_most) = 0;
    virtual android::base::Result<void> Release() = 0;
};

// The kernel's own interface, /sys/power/wake_lock (CONFIG_PM_WAKELOCKS), which AOSP's init gives
// to the group wakelock and the kernel to CAP_BLOCK_SUSPEND. Where the kernel has none, or grants
// it to somebody else, Acquire() is an error and the device may suspend: the run then goes on when
// it wakes. android.system.suspend.ISystemSuspend, which needs no capability, is another
// implementation's business.
class KernelWakeLock : public WakeLock {
  public:
    explicit KernelWakeLock(std::string folder = "/sys/power");
    android::base::Result<void> Acquire(std::chrono::nanoseconds at_most) override;
    android::base::Result<void> Release() override;

  private:
    const std::string folder_;
};

}  // namespace storekeeper
