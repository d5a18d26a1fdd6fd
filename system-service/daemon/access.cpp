// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/access.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// AID_ROOT, AID_SYSTEM and AID_SHELL of private/android_filesystem_config.h, fixed for ever. Users
// beside the first have other ids and no business here.
constexpr uid_t kRoot = 0;
constexpr uid_t kSystem = 1000;
constexpr uid_t kShell = 2000;

}  // namespace

Result<void> CheckCaller(uid_t uid) {
    if (uid == kRoot || uid == kSystem || uid == kShell) return {};
    return Error() << "uid " << uid << " may not use storekeeper; root, system and shell may";
}

Result<void> CheckRoot(uid_t uid) {
    if (uid == kRoot) return {};
    return Error() << "uid " << uid << " may not do this; root may";
}

Result<void> CheckRootOrSystem(uid_t uid) {
    if (uid == kRoot || uid == kSystem) return {};
    return Error() << "uid " << uid << " may not do this; root and system may";
}

}  // namespace storekeeper
