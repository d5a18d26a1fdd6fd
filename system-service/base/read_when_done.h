// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>

#include "base/stop_signal.h"

namespace storekeeper {

// Polling interval and time limit of a wait for another process.
struct WaitTerms {
    std::chrono::milliseconds step;
    std::chrono::milliseconds limit;
};

// Polls `read`, which returns a Result, until `is_done` accepts its value or the limit has passed,
// and returns the last answer. A stop request does not interrupt it, so that a stopped run leaves
// everything restored.
template <typename Read, typename IsDone>
auto ReadWhenDone(Pauser& pauser, const WaitTerms& terms, const Read& read, const IsDone& is_done) {
    const StopSignal never;
    auto now = read();
    for (auto waited = terms.step; now.ok() && !is_done(*now) && waited <= terms.limit;
         waited += terms.step) {
        pauser.Pause(terms.step, never);
        now = read();
    }
    return now;
}

}  // namespace storekeeper
