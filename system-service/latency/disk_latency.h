// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <vector>

#include "base/diskstats.h"
#include "latency/latency_sample.h"

namespace storekeeper {

// How long a disk's requests took between two looks at its counters in the same boot: a sample for
// each kind of which any ended, in the order of kIoKinds; none for kinds the kernel does not count.
// Means only: there is no histogram. `wall` is the time of the second look, `span` the time between
// them.
//
// A counter that wrapped once is understood. An error says why nothing can be reported: another
// device, no time between the looks, or counters that went backwards otherwise.
android::base::Result<std::vector<LatencySample>> DiskLatency(const DiskStats& before,
                                                              const DiskStats& after, WallTime wall,
                                                              std::chrono::seconds span);

}  // namespace storekeeper
