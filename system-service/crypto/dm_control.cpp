// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/dm_control.h"

#include <fcntl.h>

#include <utility>

namespace storekeeper {

using android::base::Result;
using android::base::unique_fd;

Result<unique_fd> OpenDmControl(Syscalls& syscalls) {
    // Android's name of the node comes first, then the usual one.
    Result<unique_fd> fd = syscalls.Open("/dev/device-mapper", O_RDWR);
    return fd.ok() ? std::move(fd) : syscalls.Open("/dev/mapper/control", O_RDWR);
}

}  // namespace storekeeper
