// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

namespace storekeeper {

// What several clocks say at one moment, to check one by the others: the kernel's
// (clock_gettime(2)) and the processor's own.
struct ClockSet {
    std::chrono::nanoseconds raw{};        // CLOCK_MONOTONIC_RAW: nobody sets or slews it
    std::chrono::nanoseconds monotonic{};  // slewed; stands still in suspend
    std::chrono::nanoseconds boot{};       // slewed; goes on in suspend
    std::chrono::nanoseconds wall{};       // can be set
    // ARM's generic timer (CNTVCT_EL0 by CNTFRQ_EL0): neither the C library nor the kernel's
    // bookkeeping stands before it. Absent where the firmware has reported no rate, on other
    // processors, whose counters report none, and in 32-bit programs, which not every kernel lets
    // read it.
    std::optional<std::chrono::nanoseconds> counter;

    // Read one after the other: where this program has to wait for its turn in between, again.
    static ClockSet Now();
    // The same by `read`, which has no counter.
    static ClockSet Now(const std::function<std::chrono::nanoseconds(clockid_t)>& read);
};

// What a counter says that has counted `ticks` at `rate` a second; absent when no counter of a
// processor has such a rate.
std::optional<std::chrono::nanoseconds> CountedTime(uint64_t ticks, uint64_t rate);

}  // namespace storekeeper
