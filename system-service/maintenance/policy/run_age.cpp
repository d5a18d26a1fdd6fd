// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/policy/run_age.h"

#include <algorithm>

namespace storekeeper {
namespace {

using std::chrono::duration_cast;
using std::chrono::seconds;

bool IsSameBoot(const RunStamp& then, const RunStamp& now) {
    return !now.boot_id.empty() && then.boot_id == now.boot_id;
}

seconds Powered(const RunStamp& then, const RunStamp& now) {
    BootTime time = IsSameBoot(then, now) ? now.since_boot - then.since_boot : now.since_boot;
    return std::max(seconds(0), duration_cast<seconds>(time));
}

}  // namespace

seconds Elapsed(const RunStamp& then, const RunStamp& now) {
    const seconds powered = Powered(then, now);
    return IsSameBoot(then, now) ? powered : std::max(powered, now.wall - then.wall);
}

RunAge BringUpToDate(const RunAge& age, const RunStamp& now) {
    return {.at = now,
            .elapsed = age.elapsed + Elapsed(age.at, now),
            .powered = age.powered + Powered(age.at, now)};
}

bool IsWorthWriting(const RunAge& age, const RunStamp& now, seconds period) {
    if (!IsSameBoot(age.at, now) && now.wall < age.at.wall) return true;
    return Powered(age.at, now) >= period;
}

}  // namespace storekeeper
