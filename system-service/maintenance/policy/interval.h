// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "maintenance/policy/policy_config.h"

namespace storekeeper {

// What a complete run brought.
struct RunGain {
    uint64_t discarded_bytes = 0;
    uint64_t filesystem_bytes = 0;  // size of what was trimmed
    // By how much the latency probe's 99th percentile fell, percent; negative when it rose. Absent
    // without a probe.
    std::optional<int> p99_percent;
};

// The interval after a run that brought this: half as long when it freed much or made the storage
// faster, half as long again when it did neither, within the configured bounds; else unchanged.
std::chrono::seconds NextInterval(std::chrono::seconds interval, const RunGain& gain,
                                  const PolicyConfig& config);

}  // namespace storekeeper
