// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <string_view>

#include "base/file_reader.h"
#include "health/storage_health.h"

namespace storekeeper {

// Succeeds if the disk ("mmcblk0") is an eMMC. The error names its actual type, or the file that
// could not be read.
android::base::Result<void> CheckMmcDisk(const FileReader& files, const std::string& disk);

// Reads an eMMC's identity and wear from /sys/block/DISK/device. A missing or invalid attribute
// does not affect the others. The card's serial number is hidden. The kernel caches these values
// when it initialises the card, so the wear does not change within one boot.
StorageHealth ReadMmcHealth(const FileReader& files, const std::string& disk);

}  // namespace storekeeper
