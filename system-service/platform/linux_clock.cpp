// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/linux_clock.h"

#include <time.h>

namespace storekeeper {
namespace {

// clock_gettime fails only for an unknown clock id; those below exist since Linux 2.6.39.
timespec Now(clockid_t id) {
    timespec now = {};
    clock_gettime(id, &now);
    return now;
}

}  // namespace

BootTime LinuxClock::SinceBoot() const {
    timespec now = Now(CLOCK_BOOTTIME);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::chrono::nanoseconds LinuxClock::Monotonic() const {
    timespec now = Now(CLOCK_MONOTONIC);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

WallTime LinuxClock::Wall() const {
    return std::chrono::seconds(Now(CLOCK_REALTIME).tv_sec);
}

}  // namespace storekeeper
