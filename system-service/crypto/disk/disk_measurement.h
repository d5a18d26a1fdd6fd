// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <string>

#include "base/file_reader.h"
#include "crypto/benchmark.h"
#include "crypto/disk/disk_cipher_calls.h"

namespace storekeeper {

struct DiskMeasurementSeams {
    const FileReader& files;
    DiskCipherCalls::Seams calls;
    std::function<std::string(const std::string& name)> property;
    std::function<bool(const std::string& name, const std::string& value)> set;
};

// Measures, as the property asks, the drivers that /proc/crypto has for that cipher, and publishes
// what it found, a problem as well. An error is one of asking or answering.
android::base::Result<void> RunDiskMeasurement(const DiskMeasurementSeams& seams,
                                               BenchmarkPlan plan = {});

}  // namespace storekeeper
