// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>

#include "maintenance/policy/policy.h"

namespace storekeeper {

// What collecting garbage and defragmenting may write together in a week: both wear the flash. A
// week is one of being switched on, which no clock can falsify.
class WriteBudget {
  public:
    static constexpr std::chrono::hours kWeek{7 * 24};

    // A week that began `began` ago, and what was written in it.
    struct Week {
        RunAge began;
        uint64_t written_bytes = 0;
    };

    // `now` in the same week, or at the beginning of the next.
    static Week At(const Week& week, const RunStamp& now);

    // What is left of `most_bytes` in this week.
    static uint64_t Left(const Week& week, uint64_t most_bytes) {
        return most_bytes - (week.written_bytes < most_bytes ? week.written_bytes : most_bytes);
    }
};

}  // namespace storekeeper
