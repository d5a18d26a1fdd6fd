// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <time.h>

#include <chrono>

#include "base/clock.h"

namespace storekeeper {

// clock_gettime(2), which fails only for an unknown id; those of Linux 2.6.39 are known.
std::chrono::nanoseconds ReadClock(clockid_t id);

class LinuxClock : public Clock {
  public:
    BootTime SinceBoot() const override;
    WallTime Wall() const override;
    std::chrono::nanoseconds Monotonic() const override;
};

}  // namespace storekeeper
