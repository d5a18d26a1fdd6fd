// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

namespace storekeeper {

// What a product's configuration says of those who write.
struct WritersConfig {
    // Every dump has the names of apps.
    bool names_in_dumps = false;
};

}  // namespace storekeeper
