// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/pauser.h"

#include <poll.h>

namespace storekeeper {

void LinuxPauser::Pause(std::chrono::nanoseconds time, const StopSignal& stop) {
    if (time.count() <= 0 || stop.raised()) return;
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    timespec timeout = {.tv_sec = static_cast<time_t>(seconds.count()),
                        .tv_nsec = static_cast<long>((time - seconds).count())};
    pollfd wait = {.fd = stop.fd(), .events = POLLIN, .revents = 0};
    // A signal may end it early: a pause too short does no harm.
    static_cast<void>(ppoll(&wait, 1, &timeout, nullptr));
}

}  // namespace storekeeper
