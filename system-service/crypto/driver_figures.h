// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <vector>

#include "crypto/benchmark.h"
#include "crypto/cipher_calls.h"
#include "crypto/recommendation.h"

namespace storekeeper {

// Fills in `wrong` and the figures of the engine's and the CPU's driver that `to` names: known
// answers, whether each reads what the other wrote, in requests of each of `units`, and their
// speed. What fails is `problem`, and there are no figures then.
void MeasureDrivers(CipherCalls& calls, const std::vector<size_t>& units, const BenchmarkPlan& plan,
                    CryptoMeasured* to);

}  // namespace storekeeper
