// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/syscalls.h"

namespace storekeeper {

// A kind of device that the kernel's device mapper can make, and the version of that target:
// "crypt" 1.24.0.
struct DmTarget {
    std::string name;
    std::array<uint32_t, 3> version{};
};

// DM_LIST_VERSIONS of linux/dm-ioctl.h, which names no device. Tables are never asked for: they
// hold keys. Needs CAP_SYS_ADMIN.
android::base::Result<std::vector<DmTarget>> ListDmTargets(Syscalls& syscalls);

}  // namespace storekeeper
