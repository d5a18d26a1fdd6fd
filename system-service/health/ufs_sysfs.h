// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>

#include "base/file_reader.h"
#include "health/storage_health.h"

namespace storekeeper {

// Reads the UFS of a disk. The host controller's directory has the files of
// drivers/ufs/core/ufs-sysfs.c and ufs-hwmon.c (identity, wear, critical health, WriteBooster,
// background operations, temperatures, host-initiated defragmentation), or the health file or the
// life time A of older vendor kernels. The disk's own directory has its unit descriptor, and names
// the chip if the kernel has no string descriptors. Attributes do not affect each other, and one
// that the kernel lacks adds no item. The serial number is hidden.
//
// The kernel queries the chip at each reading, except for Samsung's life time A. Some readings
// change the next one (JESD220G, 14.3). They are not made, because another program that waits for
// that value would miss it:
//   - attributes/exception_event_status: clears HEALTH_CRITICAL, which the kernel's handler counts;
//   - hid/progress_ratio unless a defragmentation runs: 100 becomes 0;
//   - attributes/wb_flush_status and attributes/wb_resize_status: their final values become 0;
//   - everything in `ufshid` and `motohid`: reading ufshid/color starts an analysis (Samsung's
//     ufshid.c). Their names are reported.
StorageHealth ReadUfsHealth(const FileReader& files, const std::string& disk);

}  // namespace storekeeper
