// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/syscalls.h"

namespace storekeeper {

// Reads the 512 bytes of a card's Extended CSD through its block device. The kernel requires
// CAP_SYS_RAWIO and the node of the whole card, not of a partition.
android::base::Result<std::vector<uint8_t>> ReadExtCsdFromCard(Syscalls& syscalls,
                                                               const std::string& device);

}  // namespace storekeeper
