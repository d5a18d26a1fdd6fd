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

inline constexpr char kQcryptoStatsFolder[] = "/sys/kernel/debug/qcrypto";

// How many requests with AES Qualcomm's engine has done since boot, or since somebody wrote to the
// file, which clears it.
struct QcryptoStats {
    uint64_t encryptions = 0;
    uint64_t decryptions = 0;
};

// One file, in the three layouts of drivers/crypto/msm/qcrypto.c: 3.4 ("ABLK AES CIPHER
// encryption", unsigned printed as %d), msm8974 (the same, 64 bits), 3.18 ("ABLK CIPHER AES ...").
android::base::Result<QcryptoStats> ParseQcryptoStats(std::string_view text);

// The sum of stats-1, stats-2 and so on. Reads only. Without debugfs or the driver an error.
android::base::Result<QcryptoStats> ReadQcryptoStats(const FileReader& files);

// How many requests were done in between; absent when the counters were cleared meanwhile. One of
// 32 bits that wraps once is understood.
std::optional<uint64_t> RequestsBetween(const QcryptoStats& before, const QcryptoStats& after);

}  // namespace storekeeper
