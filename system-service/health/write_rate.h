// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <vector>

#include "health/ledger.h"

namespace storekeeper {

// Bytes written in each whole week that the chip was watched, the newest first and ending at the
// newest sample; at most `most`. Empty where the file system does not report. What was written over
// a gap or a jump of the clock is in no week, and neither is time in which it was not counted.
std::vector<double> WeeklyBytes(const Ledger& ledger, size_t most);

}  // namespace storekeeper
