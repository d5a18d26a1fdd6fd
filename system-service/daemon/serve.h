// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <functional>

#include "daemon/event_loop.h"
#include "maintenance/keeper.h"

namespace storekeeper {

struct ServeHooks {
    // What is due now; how long the loop may sleep then.
    std::function<Keeper::Nap()> turn;
    // Becomes readable when somebody uses the device; -1 where nothing does.
    std::function<int()> input_events;
    // Writes down what is in memory alone.
    std::function<void()> finish;
};

// Serves until a signal asks for the end, and ends the process: by then binder threads and a trim
// that only a fatal signal ends use what the caller has on its stack, which must not be destroyed
// under them. Exits with EX_OK, or with EX_OSERR where the kernel refuses to wait for events.
[[noreturn]] void ServeUntilStopped(EventLoop& loop, const ServeHooks& hooks);

}  // namespace storekeeper
