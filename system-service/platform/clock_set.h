// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>

namespace storekeeper {

// What several clocks of the kernel say at one moment (clock_gettime(2)), to check one by the
// others.
struct ClockSet {
    std::chrono::nanoseconds raw{};        // CLOCK_MONOTONIC_RAW: nobody sets or slews it
    std::chrono::nanoseconds monotonic{};  // slewed; stands still in suspend
    std::chrono::nanoseconds boot{};       // slewed; goes on in suspend
    std::chrono::nanoseconds wall{};       // can be set

    static ClockSet Now();
};

}  // namespace storekeeper
