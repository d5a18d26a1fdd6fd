// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

#include "maintenance/policy/policy.h"
#include "maintenance/trim/receipt.h"

namespace storekeeper {

// Whether vold may leave its trims to Storekeeper (vold-patches/): only while Storekeeper could
// trim itself, or nobody would.

// Why the policy may never begin a run here: a gate that never gives way is closed and cannot be
// read, the deadline is past and still no run is possible, or the last run failed. "" when it may,
// and for a chip that must not be trimmed: vold would trim it.
std::string WhyNoRun(const Decision& decision, const std::string& last_failure);

// The reason of a run that failed as the next one would fail as well; "" for one that trimmed, was
// stopped, or was refused by whoever owns the device.
std::string FailureOf(TrimOutcome outcome, const std::string& reason);

// FailureOf() the policy's last run among these receipts, newest first.
std::string LastFailure(const std::vector<TrimReceipt>& receipts);

}  // namespace storekeeper
