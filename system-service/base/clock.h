// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <stdint.h>
#include <time.h>

#include <chrono>

namespace storekeeper {

// Time since boot, suspended time included. It is read from CLOCK_BOOTTIME, which no process can
// set. All intervals are measured with it, except the time of a single I/O.
using BootTime = std::chrono::nanoseconds;

// Seconds since the Unix epoch. This clock can jump; it dates records that outlive a reboot and
// texts.
using WallTime = std::chrono::seconds;

// Day number since the epoch; negative before 1970.
constexpr int64_t DayOf(WallTime wall) {
    constexpr int64_t kSeconds = 24 * 3600;
    return wall.count() / kSeconds - (wall.count() % kSeconds < 0 ? 1 : 0);
}

class Clock {
  public:
    virtual ~Clock() = default;
    virtual BootTime SinceBoot() const = 0;
    virtual WallTime Wall() const = 0;
    // CLOCK_MONOTONIC, which stands still while the device is suspended. It times single I/Os only.
    virtual std::chrono::nanoseconds Monotonic() const = 0;
};

// clock_gettime(2). It fails only for an unknown id, and Linux 2.6.39 and later know the ids used
// here.
std::chrono::nanoseconds ReadClock(clockid_t id);

class LinuxClock : public Clock {
  public:
    BootTime SinceBoot() const override;
    WallTime Wall() const override;
    std::chrono::nanoseconds Monotonic() const override;
};

}  // namespace storekeeper
