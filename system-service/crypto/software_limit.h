// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>

#include "base/file_reader.h"

namespace storekeeper {

// Module and driver of mainline's drivers/crypto/qce are called qcrypto as well.
inline constexpr char kSoftwareLimitPath[] = "/sys/module/qcrypto/parameters/aes_sw_max_len";

// Requests with AES of at most so many bytes are the CPU's, whatever /proc/crypto says. An error
// for other drivers and before Linux 5.7.
android::base::Result<uint32_t> ReadSoftwareLimit(const FileReader& files);

}  // namespace storekeeper
