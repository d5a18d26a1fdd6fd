// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/parsebool.h>

#include <string>

namespace storekeeper {

// The device_config flag that StorageManagerService reads (DEFAULT_SMART_IDLE_MAINT_ENABLED): the
// framework has f2fs collect garbage itself.
inline constexpr char kSmartIdleMaintenance[] =
        "persist.device_config.storage_native_boot.smart_idle_maint_enabled";

// Its value; unset and what is no boolean are false, the flag's default.
inline bool IsSmartIdleMaintenance(const std::string& value) {
    return android::base::ParseBool(value) == android::base::ParseBoolResult::kTrue;
}

}  // namespace storekeeper
