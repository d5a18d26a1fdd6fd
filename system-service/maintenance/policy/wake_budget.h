// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "base/clock.h"
#include "maintenance/policy/policy.h"

namespace storekeeper {

// Keeps the number of wake-ups in any hour down, whatever wakes: power supplies that report every
// few seconds, a screen that goes on and off.
class WakeBudget {
  public:
    // While a run is due, and while none is.
    static constexpr size_t kPerHourDue = 12;
    static constexpr size_t kPerHour = 4;

    void Note(BootTime now);

    // The earliest time at which one more wake-up fits in the hour then past; in the past itself
    // when it fits at once.
    BootTime NextAllowed(bool due) const;

    // The same after this decision. At once where root has set a limit: root waits for the effect.
    BootTime NextAllowed(const Decision& decision) const;

    // Whether events may wake, too, and not only a deadline: when two more fit.
    bool AllowsEvents(bool due, BootTime now) const;
    bool AllowsEvents(const Decision& decision, BootTime now) const;

    uint64_t total() const { return total_; }
    size_t InLastHour(BootTime now) const;
    // The most in any hour so far.
    size_t most() const { return most_; }

  private:
    std::deque<BootTime> wakes_;  // the newest
    uint64_t total_ = 0;
    size_t most_ = 0;
};

}  // namespace storekeeper
