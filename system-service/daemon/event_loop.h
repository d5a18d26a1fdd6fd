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

// What the daemon sleeps on: a deadline of CLOCK_BOOTTIME, a wake-up from another thread, a change
// of a power supply, a file of sysfs that asks for attention, a signal to end. There is no polling:
// while nothing happens, nothing runs.
class EventLoop {
  public:
    enum class Event { kDeadline, kWoken, kPowerChanged, kInput, kAttention, kStop };

    // Blocks SIGTERM, SIGINT and SIGHUP for the calling thread and those it starts later; call it
    // before any other thread exists. Ignores SIGPIPE: a reader of dumpsys that goes away must not
    // take the daemon along.
    static android::base::Result<EventLoop> Create();

    // Forgets power events so far. Call it before reading the power supplies, so that a change
    // after the reading ends the next Wait().
    void DrainPowerEvents();

    // `watch_power` false leaves power events asleep: a battery reports more often than its level
    // can matter. `input`: a file descriptor whose being readable ends the wait, or -1; whoever
    // owns it reads it. `attention`: likewise, when it has urgent data (POLLPRI), as a file of
    // sysfs has that changes.
    android::base::Result<Event> Wait(std::optional<BootTime> deadline, bool watch_power,
                                      int input = -1, int attention = -1);

    // From any thread; ends the present or the next Wait().
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
    // What is due now; how long the loop may sleep then.
    std::function<Keeper::Nap()> turn;
    // Becomes readable when somebody uses the device; -1 where nothing does.
    std::function<int()> input_events;
    // A file of sysfs that is urgent when it changes, or -1; and what is done then.
    std::function<int()> attention;
    std::function<void()> attend;
    // Writes down what is in memory alone.
    std::function<void()> finish;
};

// Serves until a signal asks for the end, and ends the process: by then binder threads and a trim
// that only a fatal signal ends use what the caller has on its stack, which must not be destroyed
// under them. Exits with EX_OK, or with EX_OSERR where the kernel refuses to wait for events.
[[noreturn]] void ServeUntilStopped(EventLoop& loop, const ServeHooks& hooks);

}  // namespace storekeeper
