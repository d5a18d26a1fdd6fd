// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/policy/wake_budget.h"

#include <algorithm>

namespace storekeeper {
namespace {
constexpr BootTime kHour = std::chrono::hours(1);
constexpr size_t kKept = 64;
}  // namespace

void WakeBudget::Note(BootTime now) {
    wakes_.push_back(now);
    if (wakes_.size() > kKept) wakes_.pop_front();
    ++total_;
    most_ = std::max(most_, InLastHour(now));
}

BootTime WakeBudget::NextAllowed(bool due) const {
    const size_t limit = due ? kPerHourDue : kPerHour;
    if (wakes_.size() < limit) return BootTime(0);
    // With it, the hour that ends there holds this many.
    return wakes_[wakes_.size() - limit] + kHour;
}

bool WakeBudget::AllowsEvents(bool due, BootTime now) const {
    const size_t limit = due ? kPerHourDue : kPerHour;
    return InLastHour(now) + 2 <= limit;
}

BootTime WakeBudget::NextAllowed(const Decision& decision) const {
    return decision.overridden() ? BootTime(0) : NextAllowed(decision.due);
}

bool WakeBudget::AllowsEvents(const Decision& decision, BootTime now) const {
    return decision.overridden() || AllowsEvents(decision.due, now);
}

size_t WakeBudget::InLastHour(BootTime now) const {
    return static_cast<size_t>(std::count_if(wakes_.begin(), wakes_.end(),
                                             [now](BootTime wake) { return now - wake < kHour; }));
}

}  // namespace storekeeper
