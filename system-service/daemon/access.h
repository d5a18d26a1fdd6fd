// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

namespace storekeeper {

// Who may call the service at all: root, the system and the shell.
android::base::Result<void> CheckCaller(uid_t uid);

// Who may hand in what the reports then say of the chip: root.
android::base::Result<void> CheckRoot(uid_t uid);

// Who may choose who encrypts: root and the system.
android::base::Result<void> CheckRootOrSystem(uid_t uid);

}  // namespace storekeeper
