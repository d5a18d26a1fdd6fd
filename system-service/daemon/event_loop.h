// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <functional>
#include <optional>

#include "base/clock.h"
#include "maintenance/keeper.h"

namespace storekeeper {

// The events that wake the daemon: a deadline of CLOCK_BOOTTIME, a wake-up from another thread, a
// change of a power supply, an urgent sysfs file, a signal to end. It never polls at intervals.
class EventLoop {
  public:
    enum class Event { kDeadline, kWoken, kPowerChanged, kInput, kAttention, kStop };

    // Blocks SIGTERM, SIGINT and SIGHUP for the calling thread and threads started later; call it
    // before any other thread exists. Ignores SIGPIPE, so that a vanished reader of dumpsys cannot
    // end the daemon.
    static android::base::Result<EventLoop> Create();

    // Discards queued power events. Call it before reading the power supplies, so that a later
    // change ends the next Wait().
    void DrainPowerEvents();

    // If `watch_power` is false, power events do not end the wait, because a battery reports more
    // often than its level matters. `input` is a descriptor that ends the wait when it is readable,
    // or -1; its owner reads it. `attention` ends the wait on urgent data (POLLPRI), such as a
    // change of a sysfs file.
    android::base::Result<Event> Wait(std::optional<BootTime> deadline, bool watch_power,
                                      int input = -1, int attention = -1);

    // Ends the current or the next Wait(); safe from any thread.
    void Wake() const;

  private:
    EventLoop() = default;

    android::base::Result<void> SetTimer(std::optional<BootTime> deadline);

    android::base::unique_fd timer_;
    android::base::unique_fd wake_;
    android::base::unique_fd signals_;
    android::base::unique_fd uevents_;
};

struct ServeHooks {
    // Does all due work and returns how long the loop may sleep.
    std::function<Keeper::Nap()> turn;
    // A descriptor that becomes readable when the device is used, or -1.
    std::function<int()> input_events;
    // A sysfs file that becomes urgent when it changes, or -1, and its handler.
    std::function<int()> attention;
    std::function<void()> attend;
    // Stores everything that is only in memory.
    std::function<void()> finish;
};

// Serves until a signal requests the end, then ends the process without returning. At that time
// binder threads, and a trim that only a fatal signal can end, still use objects on the caller's
// stack, which must not be destroyed. Exits with EX_OK, or with EX_OSERR if waiting for events
// fails.
[[noreturn]] void ServeUntilStopped(EventLoop& loop, const ServeHooks& hooks);

}  // namespace storekeeper
