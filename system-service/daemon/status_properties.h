// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "health/alerts.h"
#include "health/forecast.h"
#include "health/verdict.h"

namespace storekeeper {

// What of the wear others of the ROM may want, as docs/properties.md has it: name and value of each
// of storekeeper.status.{level,life_used_pct,pre_eol,forecast_end,alerts}. What is not known is "",
// as a property that was never set, so that none keeps what was known once; at most 91 bytes each.
std::vector<std::pair<std::string, std::string>> StatusProperties(const Verdict& verdict,
                                                                  const WearReading& wear,
                                                                  const Forecast& forecast,
                                                                  const AlertState& alerts);

}  // namespace storekeeper
