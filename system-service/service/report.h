// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include "config/json_text.h"
#include "health/health_report.h"
#include "service/keeper.h"
#include "trim/receipt.h"

namespace storekeeper {

// Reports as JSON; every other rendering is made from these. Units stand in the keys, what is not
// known is null and never 0.
Json::Value ReceiptToJson(const TrimReceipt& receipt);
Json::Value StatusToJson(const KeeperStatus& status);
Json::Value HealthToJson(const HealthReport& report);

}  // namespace storekeeper
