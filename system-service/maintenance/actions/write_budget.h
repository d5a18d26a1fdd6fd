// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>

#include "maintenance/policy/policy.h"

namespace storekeeper {

// The weekly budget of bytes that garbage collection and defragmentation write together: both wear
// the flash. A week is one of powered time, which no clock can falsify.
class WriteBudget {
  public:
    static constexpr std::chrono::hours kWeek{7 * 24};

    // A week, with its age and the bytes written in it.
    struct Week {
        RunAge began;
        uint64_t written_bytes = 0;
    };

    // The week brought up to `now`, or a new one if it is over.
    static Week WeekAt(const Week& week, const RunStamp& now);

    // Bytes left of `most_bytes` in this week.
    static uint64_t RemainingBytes(const Week& week, uint64_t most_bytes) {
        return most_bytes - (week.written_bytes < most_bytes ? week.written_bytes : most_bytes);
    }
};

}  // namespace storekeeper
