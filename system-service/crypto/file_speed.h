// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "base/syscalls.h"
#include "crypto/benchmark.h"
#include "crypto/cipher_calls.h"

namespace storekeeper {

// How fast a file is written (with fdatasync) and read, past the page cache. It depends on the
// cipher and the storage together, so it compares with nothing but itself.
struct FileSpeed {
    Estimate write_mbps;
    Estimate read_mbps;
    double cpu_percent = 0;
};

// 8 rounds of a file of 1 MiB, in requests of 256 KiB. The file stays, so that no block is freed.
inline constexpr size_t kFileSpeedUnit = 256 * 1024;
android::base::Result<FileSpeed> MeasureFileSpeed(Syscalls& syscalls, CipherCalls& calls,
                                                  const std::string& path);

// Reads that file once, past the page cache: what is below it decrypts 1 MiB.
android::base::Result<void> ReadSpeedFile(Syscalls& syscalls, const std::string& path);

}  // namespace storekeeper
