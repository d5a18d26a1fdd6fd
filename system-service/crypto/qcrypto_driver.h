// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

inline constexpr char kQcryptoStatsFolder[] = "/sys/kernel/debug/qcrypto";

// Number of AES requests that Qualcomm's engine has served since boot, or since the file was
// cleared by a write.
struct QcryptoStats {
    uint64_t encryptions = 0;
    uint64_t decryptions = 0;
};

// Parses one file, in the three layouts of drivers/crypto/msm/qcrypto.c: 3.4 ("ABLK AES CIPHER
// encryption", unsigned printed as %d), msm8974 (the same, 64 bits), 3.18 ("ABLK CIPHER AES ...").
android::base::Result<QcryptoStats> ParseQcryptoStats(std::string_view text);

// The sum of stats-1, stats-2 and so on. Reads only. An error without debugfs or the driver.
android::base::Result<QcryptoStats> ReadQcryptoStats(const FileReader& files);

// Requests between two readings. Absent if the counters were cleared in between. A counter of 32
// bits that wrapped once is corrected.
std::optional<uint64_t> RequestsBetween(const QcryptoStats& before, const QcryptoStats& after);

}  // namespace storekeeper
