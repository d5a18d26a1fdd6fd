// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <vector>

#include "latency/latency_sample.h"

namespace storekeeper {

// By how much the 99th percentile of the probe's writes fell from one run of it to the next,
// percent of the former; negative when it rose. A few I/Os scatter, so it is absent unless every
// write of one run was faster than every one of the other: with four of each, chance does that once
// in 35 times.
std::optional<int> FallOfP99(const std::vector<LatencySample>& before,
                             const std::vector<LatencySample>& after);

}  // namespace storekeeper
