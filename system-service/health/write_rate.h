// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <vector>

#include "health/ledger.h"

namespace storekeeper {

// Bytes written in each complete observed week, newest first, the newest ending at the newest
// sample; at most `most` weeks. Empty if the file system does not report. Writes during a gap or a
// clock jump belong to no week, and neither does time without a count.
std::vector<double> WeeklyBytes(const Ledger& ledger, size_t most);

}  // namespace storekeeper
