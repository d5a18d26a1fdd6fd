// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include "base/json_text.h"
#include "health/health_report.h"
#include "maintenance/keeper.h"

namespace storekeeper {

// Reports as JSON; every other rendering is made from these. Units stand in the keys, what is not
// known is null and never 0.
Json::Value StatusToJson(const KeeperStatus& status);
Json::Value HealthToJson(const HealthReport& report);

}  // namespace storekeeper
