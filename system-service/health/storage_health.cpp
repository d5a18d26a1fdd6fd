// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/storage_health.h"

namespace storekeeper {

std::string KindName(StorageHealth::Kind kind) {
    switch (kind) {
        case StorageHealth::Kind::kEmmc:
            return "emmc";
        case StorageHealth::Kind::kUfs:
            return "ufs";
        case StorageHealth::Kind::kUnknown:
            break;
    }
    return "unknown";
}

}  // namespace storekeeper
