// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/clock_set.h"

#include "base/clock.h"

namespace storekeeper {
namespace {

using std::chrono::nanoseconds;

// System calls on a slow processor, where the C library cannot do without, are several times
// faster.
constexpr nanoseconds kTogether = std::chrono::microseconds(100);
constexpr int kTries = 10;

std::optional<nanoseconds> ReadCounter() {
#if defined(__aarch64__)
    uint64_t ticks = 0;
    uint64_t rate = 0;
    // The barrier keeps it from being read early (Arm Architecture Reference Manual, D11.1.2).
    asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    asm volatile("mrs %0, cntfrq_el0" : "=r"(rate));
    return CountedTime(ticks, rate);
#else
    return std::nullopt;
#endif
}

template <typename Read, typename Counter>
ClockSet ReadTogether(const Read& read, const Counter& counter) {
    ClockSet best;
    nanoseconds least = nanoseconds::max();
    for (int tries = 0; tries < kTries && least > kTogether; ++tries) {
        const ClockSet set = {.raw = read(CLOCK_MONOTONIC_RAW),
                              .monotonic = read(CLOCK_MONOTONIC),
                              .boot = read(CLOCK_BOOTTIME),
                              .wall = read(CLOCK_REALTIME),
                              .counter = counter()};
        const nanoseconds apart = read(CLOCK_MONOTONIC_RAW) - set.raw;
        if (apart >= least) continue;
        least = apart;
        best = set;
    }
    return best;
}

}  // namespace

std::optional<nanoseconds> CountedTime(uint64_t ticks, uint64_t rate) {
    constexpr uint64_t kSecond = 1'000'000'000;
    // Firmware sets it, to 1 MHz and more; 0 is that of firmware that does not.
    if (rate < kSecond / 1000 || rate > kSecond * 10) return std::nullopt;
    return nanoseconds(
            static_cast<int64_t>(ticks / rate * kSecond + ticks % rate * kSecond / rate));
}

ClockSet ClockSet::Now() {
    return ReadTogether(ReadClock, ReadCounter);
}

ClockSet ClockSet::Now(const std::function<nanoseconds(clockid_t)>& read) {
    return ReadTogether(read, [] { return std::optional<nanoseconds>(); });
}

}  // namespace storekeeper
