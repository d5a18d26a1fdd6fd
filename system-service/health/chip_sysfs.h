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

// Whether the SCSI disk ("sda") is a logical unit of a UFS.
bool IsUfsDisk(const FileReader& files, const std::string& disk);

// Reads the identity and wear of the UFS that a disk belongs to, from its host controller's
// directory: health_descriptor and string_descriptors (drivers/ufs/core/ufs-sysfs.c), or the health
// file of older vendors' kernels. Each attribute stands for itself. The serial number does not
// appear. The kernel asks the chip at each reading.
StorageHealth ReadUfsHealth(const FileReader& files, const std::string& disk);

// The text of a vendor's `health` file: "Health Descriptor[Byte offset 0x2]: bPreEOLInfo = 0x1",
// and so on, one line a field. Fields that do not stand there are absent; an error for a value that
// is none, and for a text without any.
android::base::Result<WearReading> ParseUfsHealthText(std::string_view text);

}  // namespace storekeeper
