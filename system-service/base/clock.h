// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <stdint.h>
#include <time.h>

#include <chrono>

namespace storekeeper {

// Time since boot, suspended time included. Its only origin is CLOCK_BOOTTIME, which nobody can
// set; every interval is measured with it.
using BootTime = std::chrono::nanoseconds;

// Seconds since the Unix epoch. It can jump; used for what must outlive a reboot, and for people.
using WallTime = std::chrono::seconds;

// The day since the epoch; days before it count back from it, too.
constexpr int64_t DayOf(WallTime wall) {
    constexpr int64_t kSeconds = 24 * 3600;
    return wall.count() / kSeconds - (wall.count() % kSeconds < 0 ? 1 : 0);
}

class Clock {
  public:
    virtual ~Clock() = default;
    virtual BootTime SinceBoot() const = 0;
    virtual WallTime Wall() const = 0;
    // CLOCK_MONOTONIC, which stands still while the device is suspended: for how long an I/O took,
    // and nothing longer.
    virtual std::chrono::nanoseconds Monotonic() const = 0;
};

// clock_gettime(2), which fails only for an unknown id; those of Linux 2.6.39 are known.
std::chrono::nanoseconds ReadClock(clockid_t id);

class LinuxClock : public Clock {
  public:
    BootTime SinceBoot() const override;
    WallTime Wall() const override;
    std::chrono::nanoseconds Monotonic() const override;
};

}  // namespace storekeeper
