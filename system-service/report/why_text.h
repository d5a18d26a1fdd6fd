// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>

#include "maintenance/keeper.h"

namespace storekeeper {

// Why maintenance runs or does not: what it is doing, a table of all gates, when the next run can
// begin, which due runs were deferred, and the configuration in force. At most 80 columns.
std::string WhyText(const KeeperStatus& status);

// The same for one screen: the closed gates alone in the table, the last deferred run, no
// configuration.
std::string WhyBrief(const KeeperStatus& status);

}  // namespace storekeeper
