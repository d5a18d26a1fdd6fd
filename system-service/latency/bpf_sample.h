// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <vector>

#include "latency/bpf/storekeeper_latency.h"
#include "latency/latency_sample.h"

namespace storekeeper {

// What was counted between two readings of BpfLatency: a sample for each kind of which any ended.
// `before` may be empty, for all. A bucket that went backwards counts as 0: the programs were
// loaded anew.
std::vector<LatencySample> BpfSamples(const std::vector<storekeeper_latency>& before,
                                      const std::vector<storekeeper_latency>& after, WallTime wall,
                                      std::chrono::seconds span);

}  // namespace storekeeper
