// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <vector>

#include "base/json_text.h"
#include "health/health_report.h"
#include "maintenance/keeper.h"

namespace storekeeper {

// Reports as JSON. Units stand in the keys, what is not known is null and never 0.
Json::Value StatusToJson(const KeeperStatus& status);
Json::Value HealthToJson(const HealthReport& report);
Json::Value ReceiptsToJson(const std::vector<TrimReceipt>& receipts);

}  // namespace storekeeper
