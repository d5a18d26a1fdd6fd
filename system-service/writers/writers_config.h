// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>

namespace storekeeper {

// What a product's configuration says of those who write.
struct WritersConfig {
    // Every dump has the names of apps.
    bool names_in_dumps = false;
    // What a uid may write to the flash in a day, MiB, an app's or one of the system; 0: no budget.
    int64_t app_budget_mib = 0;
    int64_t system_budget_mib = 0;
};

}  // namespace storekeeper
