// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file_reader.h"
#include "base/kernel_version.h"

namespace storekeeper {

// The device's path in sysfs, "/sys/dev/block/179:2", a link to its own directory.
std::string SysfsOf(dev_t device);

// The device number as text: "179:2".
std::string NumberText(dev_t device);

// Parses "179:2".
android::base::Result<dev_t> ParseDevice(const std::string& text);

// The whole disk below a device, found through partitions and stacked dm devices. A stack on
// several disks is an error.
android::base::Result<dev_t> DiskOf(const FileReader& files, dev_t device);

// Fails with ENODEV if the kernel has removed the block device, because the card was taken out or
// its driver gave up. A file system on it stays mounted. If sysfs cannot be listed, the device
// counts as present.
android::base::Result<void> CheckDeviceExists(const FileReader& files, dev_t device);

// A limit of the device's request queue (Documentation/ABI/stable/sysfs-block). For a partition,
// which has no queue, the limit of its disk. Absent if it cannot be read.
std::optional<uint64_t> QueueLimit(const FileReader& files, dev_t device, const std::string& name);

// True if any of these devices accepts discards, which means a discard_max_bytes above 0. Absent if
// none does and at least one value is unreadable. discard_granularity is no indicator: Linux 3.1 to
// 5.8 reports 0 for a working eMMC whose preferred erase size exceeds its largest discard
// (mmc_queue_setup_discard()).
std::optional<bool> TakesDiscards(const FileReader& files, const std::vector<dev_t>& devices);

// The reason why the kernel does not count the I/O of these devices, such as "not counted:
// queue/iostats is 0 on mmcblk0"; "" if it counts. Checks each device and the disk below it. Call
// it before each use of a counter that the block layer feeds: /proc/diskstats, and
// lifetime_write_kbytes of ext4 and f2fs. `kernel` is the running kernel; without a value the
// newest is assumed.
std::string WhyNotCounted(
        const FileReader& files, const std::vector<dev_t>& devices,
        std::optional<KernelVersion> kernel = ParseKernelRelease(KernelRelease()));

// Like WhyNotCounted(), for the bytes written to these devices alone. A kernel whose
// /proc/diskstats has no fields for discards counts them as writes (blk_account_io_completion()
// before Linux 4.18).
std::string WhyWritesNotCounted(const FileReader& files, const std::vector<dev_t>& devices);

// The kernel's name of the device from its uevent: "mmcblk0p2" or "dm-0".
android::base::Result<std::string> NameOf(const FileReader& files, dev_t device);

// True if the disk has a volatile write cache, according to queue/write_cache
// (Documentation/ABI/stable/sysfs-block). Absent if unknown, as for eMMC with "write back": its
// driver reports that for any chip with reliable writes, even one without a cache.
std::optional<bool> VolatileCacheOf(const FileReader& files, dev_t disk);

// The device's size in bytes; absent if it cannot be read.
std::optional<uint64_t> BytesOf(const FileReader& files, dev_t device);

}  // namespace storekeeper
