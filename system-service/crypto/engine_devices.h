// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

#include "base/file_reader.h"

namespace storekeeper {

// Either of Qualcomm's drivers: both are called qcrypto.
inline constexpr char kEngineDriverFolder[] = "/sys/bus/platform/drivers/qcrypto";

// Of mainline's (5.7 on): requests with AES of at most so many bytes are the CPU's, whatever
// /proc/crypto says.
inline constexpr char kSoftwareLimitPath[] = "/sys/module/qcrypto/parameters/aes_sw_max_len";

// The devices that the driver serves: "qcrypto.0" of a board file, "fd440000.qcrypto" of a device
// tree. Empty where there is no driver.
std::vector<std::string> BoundEngineDevices(const FileReader& files);

// Whether there is an engine of a vendor's kernel whose driver is not loaded yet.
bool EngineWaits(const FileReader& files);

}  // namespace storekeeper
