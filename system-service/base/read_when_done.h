// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>

#include "base/stop_signal.h"

namespace storekeeper {

// For what another process does: how often it is looked at, and for how long.
struct WaitTerms {
    std::chrono::milliseconds step;
    std::chrono::milliseconds limit;
};

// What `read`, which returns a Result, answers once `is_done` of it, or once the limit is over.
// Not to be interrupted: whoever stops a run must find everything put back.
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
