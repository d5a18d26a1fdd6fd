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

// "/sys/dev/block/179:2", a link to the device's own directory.
std::string SysfsOf(dev_t device);

// "179:2".
std::string NumberText(dev_t device);

// Of "179:2".
android::base::Result<dev_t> ParseDevice(const std::string& text);

// The whole disk that serves this device: below its partition and below stacks of dm devices.
// An error where a stack stands on several disks.
android::base::Result<dev_t> DiskOf(const FileReader& files, dev_t device);

// ENODEV where the kernel has no such block device any more: the card was taken out or its driver
// gave it up. A file system that is mounted from it stays mounted. Where sysfs cannot be listed the
// device is taken to be there.
android::base::Result<void> CheckIsThere(const FileReader& files, dev_t device);

// A limit of the device's request queue (Documentation/ABI/stable/sysfs-block). A partition has no
// queue of its own: it is the disk's. Absent when it cannot be read.
std::optional<uint64_t> QueueLimit(const FileReader& files, dev_t device, const std::string& name);

// Whether any of these devices takes discards: discard_max_bytes of its queue is not 0. Absent when
// none does and one does not say. discard_granularity is no answer: Linux 3.1 to 5.8 has 0 there
// for a working eMMC whose preferred erase size exceeds its largest discard
// (mmc_queue_setup_discard()).
std::optional<bool> TakesDiscards(const FileReader& files, const std::vector<dev_t>& devices);

// Why the kernel does not count the I/O of these devices, as in "not counted: queue/iostats is 0 on
// mmcblk0"; "" if it counts. Asks each device and the disk below it. Call it whenever a counter is
// read that the block layer feeds: /proc/diskstats, and lifetime_write_kbytes of ext4 and f2fs.
// `kernel`: the running one; absent, it counts as the newest.
std::string WhyNotCounted(
        const FileReader& files, const std::vector<dev_t>& devices,
        std::optional<KernelVersion> kernel = ParseKernelRelease(KernelRelease()));

// The kernel's name of the device, "mmcblk0p2" or "dm-0", from its uevent.
android::base::Result<std::string> NameOf(const FileReader& files, dev_t device);

// Whether the disk keeps what was written in a cache that a power cut empties, by its
// queue/write_cache (Documentation/ABI/stable/sysfs-block). Absent when it does not say: the driver
// of eMMC has "write back" for a chip without a cache, too, when it knows reliable writes.
std::optional<bool> VolatileCacheOf(const FileReader& files, dev_t disk);

// The device's size; absent when it cannot be read.
std::optional<uint64_t> BytesOf(const FileReader& files, dev_t device);

}  // namespace storekeeper
