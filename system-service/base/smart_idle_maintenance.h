// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/parsebool.h>
#include <android-base/parseint.h>

#include <functional>
#include <string>

namespace storekeeper {

// The device_config flag that StorageManagerService reads (DEFAULT_SMART_IDLE_MAINT_ENABLED). If it
// is on, the framework itself starts garbage collection of f2fs.
inline constexpr char kSmartIdleMaintenance[] =
        "persist.device_config.storage_native_boot.smart_idle_maint_enabled";

// The flag's value; false, its default, if it is unset or no boolean. Android 13 added the flag and
// the permission to read it. On older versions each read would log a denial.
inline bool IsSmartIdleMaintenance(
        const std::function<std::string(const std::string& name)>& property) {
    int sdk = 0;
    if (!android::base::ParseInt(property("ro.build.version.sdk"), &sdk) || sdk < 33) return false;
    return android::base::ParseBool(property(kSmartIdleMaintenance)) ==
           android::base::ParseBoolResult::kTrue;
}

}  // namespace storekeeper
