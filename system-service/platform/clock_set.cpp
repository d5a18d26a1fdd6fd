// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/clock_set.h"

#include "platform/linux_clock.h"

namespace storekeeper {

ClockSet ClockSet::Now() {
    return {.raw = ReadClock(CLOCK_MONOTONIC_RAW),
            .monotonic = ReadClock(CLOCK_MONOTONIC),
            .boot = ReadClock(CLOCK_BOOTTIME),
            .wall = ReadClock(CLOCK_REALTIME)};
}

}  // namespace storekeeper
