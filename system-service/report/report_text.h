// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

#include "health/health_report.h"
#include "maintenance/keeper.h"

namespace storekeeper {

// What report.h has as JSON, as text for a terminal.
std::string StatusText(const KeeperStatus& status);
std::string HealthText(const HealthReport& health);
// One line for each mount that was trimmed: "Trimmed 445079552 bytes on /cache ...".
std::string ReceiptText(const TrimReceipt& receipt);
// The same with the runs they belong to, and why the other mounts were not trimmed.
std::string ReceiptsText(const std::vector<TrimReceipt>& receipts);

// For one screen: the maintenance, with a warning first when no state is kept, and the health.
std::string StateProblemText(const KeeperStatus& status);
std::string StatusBrief(const KeeperStatus& status);
std::string HealthBrief(const HealthReport& health);

}  // namespace storekeeper
