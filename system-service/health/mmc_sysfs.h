// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <string_view>

#include "base/file_reader.h"
#include "health/storage_health.h"

namespace storekeeper {

// Whether the disk ("mmcblk0") is an eMMC. The error names what it is instead, or what could not be
// read.
android::base::Result<void> CheckMmcDisk(const FileReader& files, const std::string& disk);

// Reads an eMMC's identity and wear from /sys/block/DISK/device. Each attribute stands for itself:
// one that is missing or garbage leaves the rest as it is. The card's serial number does not
// appear. The kernel caches these values at card initialisation: within one boot the wear does not
// move.
StorageHealth ReadMmcHealth(const FileReader& files, const std::string& disk);

}  // namespace storekeeper
