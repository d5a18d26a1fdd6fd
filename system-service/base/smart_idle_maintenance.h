// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/parsebool.h>
#include <android-base/parseint.h>

#include <functional>
#include <string>

namespace storekeeper {

// The device_config flag that StorageManagerService reads (DEFAULT_SMART_IDLE_MAINT_ENABLED): the
// framework has f2fs collect garbage itself.
inline constexpr char kSmartIdleMaintenance[] =
        "persist.device_config.storage_native_boot.smart_idle_maint_enabled";

// Whether it is on; unset and what is no boolean are false, the flag's default. Android 13 brought
// the flag and the permission to read it: before, each look would be a denial in the log.
inline bool IsSmartIdleMaintenance(
        const std::function<std::string(const std::string& name)>& property) {
    int sdk = 0;
    if (!android::base::ParseInt(property("ro.build.version.sdk"), &sdk) || sdk < 33) return false;
    return android::base::ParseBool(property(kSmartIdleMaintenance)) ==
           android::base::ParseBoolResult::kTrue;
}

}  // namespace storekeeper
