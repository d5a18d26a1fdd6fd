// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <vector>

#include "crypto/benchmark.h"
#include "crypto/cipher_calls.h"
#include "crypto/recommendation.h"

namespace storekeeper {

// Measures the engine's and the CPU's driver that `to` names. First it checks known answers, and in
// requests of each of `units` whether each driver reads data that the other wrote; `wrong` has the
// first fault. Then it measures the speed. If that fails, `problem` says why and there are no
// figures.
void MeasureDrivers(CipherCalls& calls, const std::vector<size_t>& units, const BenchmarkPlan& plan,
                    CryptoMeasured* to);

}  // namespace storekeeper
