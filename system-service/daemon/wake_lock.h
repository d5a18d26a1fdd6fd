// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <functional>
#include <memory>

namespace storekeeper {

// Keeps the device from suspending: a wake lock of android.system.suspend, by libpower, which needs
// no capability (the kernel's own /sys/power/wake_lock wants CAP_BLOCK_SUSPEND). It ends with the
// process that holds it. libpower waits without limit for a suspend service that is declared and
// not up, so each call is made in a thread of its own. May be called from any thread.
class WakeLock {
  public:
    // Each returns 0 on success, as libpower's functions do.
    struct Calls {
        std::function<int()> acquire;
        std::function<int()> release;
    };

    explicit WakeLock(std::chrono::milliseconds patience);
    WakeLock(std::chrono::milliseconds patience, Calls calls);

    // Takes or releases the lock; nothing if it is so already. An error after `patience` means that
    // the service has not answered: the device may suspend, and a run goes on when it wakes. A lock
    // that comes later is kept or given back as the last call asked.
    android::base::Result<void> Set(bool awake);

  private:
    struct State;

    const std::chrono::milliseconds patience_;
    // Shared with the thread, which may outlive this object.
    const std::shared_ptr<State> state_;
};

}  // namespace storekeeper
