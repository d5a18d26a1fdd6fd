// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/policy/interval.h"

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

std::chrono::seconds NextInterval(std::chrono::seconds interval, const RunGain& gain,
                                  const PolicyConfig& config) {
    // Divided first: a product of bytes may overflow.
    const uint64_t permille = gain.filesystem_bytes / 1000;
    const uint64_t freed = permille == 0 ? 0 : gain.discarded_bytes / permille;
    const int faster = gain.p99_percent.value_or(0);
    if (freed >= static_cast<uint64_t>(config.freed_much_permille) ||
        faster >= config.gain_much_percent) {
        interval /= 2;
    } else if (freed < static_cast<uint64_t>(config.freed_little_permille) && faster <= 0) {
        interval += interval / 2;
    }
    return std::clamp(interval, config.min_interval, config.max_interval);
}

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
