// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>

#include "base/file_reader.h"
#include "health/storage_health.h"

namespace storekeeper {

// Whether the SCSI disk ("sda") is a logical unit of a UFS.
bool IsUfsDisk(const FileReader& files, const std::string& disk);

// Reads the UFS that a disk belongs to: from its host controller's directory what
// drivers/ufs/core/ufs-sysfs.c and ufs-hwmon.c show (identity, wear, critical health, WriteBooster,
// background operations, temperatures, host-initiated defragmentation), or the health file of older
// vendors' kernels; from the disk's own directory its unit descriptor. Each attribute stands for
// itself; one that the kernel does not have is no item. The serial number does not appear.
//
// The kernel asks the chip at each reading. Some readings change what the next one gives
// (JESD220G, 14.3); these are left out, for whoever waits for that value would miss it:
//   - attributes/exception_event_status: clears HEALTH_CRITICAL, which the kernel's handler counts;
//   - hid/progress_ratio unless a defragmentation runs: 100 becomes 0;
//   - attributes/wb_flush_status and attributes/wb_resize_status: their final values become 0;
//   - everything in `ufshid` and `motohid`: reading ufshid/color starts an analysis (Samsung's
//     ufshid.c). Their names are reported.
StorageHealth ReadUfsHealth(const FileReader& files, const std::string& disk);

}  // namespace storekeeper
