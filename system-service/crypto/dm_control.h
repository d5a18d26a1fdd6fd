// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include "base/syscalls.h"

namespace storekeeper {

// Opens the device mapper's control node for reading and writing. Needs CAP_SYS_ADMIN.
android::base::Result<android::base::unique_fd> OpenDmControl(Syscalls& syscalls);

}  // namespace storekeeper
