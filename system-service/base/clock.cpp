// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/clock.h"

namespace storekeeper {

std::chrono::nanoseconds ReadClock(clockid_t id) {
    timespec now = {};
    clock_gettime(id, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

BootTime LinuxClock::SinceBoot() const {
    return ReadClock(CLOCK_BOOTTIME);
}

std::chrono::nanoseconds LinuxClock::Monotonic() const {
    return ReadClock(CLOCK_MONOTONIC);
}

WallTime LinuxClock::Wall() const {
    return std::chrono::floor<std::chrono::seconds>(ReadClock(CLOCK_REALTIME));
}

}  // namespace storekeeper
