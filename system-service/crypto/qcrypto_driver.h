// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

#include "base/file_reader.h"

namespace storekeeper {

// Folder of either of Qualcomm's drivers: both are called qcrypto.
inline constexpr char kEngineDriverFolder[] = "/sys/bus/platform/drivers/qcrypto";

// Parameter of mainline's driver (5.7 on). The CPU serves AES requests of at most this many bytes,
// whatever /proc/crypto shows.
inline constexpr char kSoftwareLimitPath[] = "/sys/module/qcrypto/parameters/aes_sw_max_len";

// The devices that the driver serves: "qcrypto.0" of a board file, "fd440000.qcrypto" of a device
// tree. Empty if there is no driver.
std::vector<std::string> BoundEngineDevices(const FileReader& files);

// True if a vendor's kernel has an engine whose driver is not loaded yet.
bool HasUnloadedEngine(const FileReader& files);

}  // namespace storekeeper
