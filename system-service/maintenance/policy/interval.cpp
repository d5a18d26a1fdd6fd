// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/policy/interval.h"

#include <algorithm>

namespace storekeeper {

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

}  // namespace storekeeper
