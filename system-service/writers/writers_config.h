// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>

namespace storekeeper {

// A product's configuration of writers.
struct WritersConfig {
    // True if every dump may show names of apps.
    bool names_in_dumps = false;
    // Budgets of flash writes in MiB per day, for each app's uid and each system uid; 0 means none.
    int64_t app_budget_mib = 0;
    int64_t system_budget_mib = 0;
};

}  // namespace storekeeper
