// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/file_reader.h"
#include "health/verdict.h"

namespace storekeeper {

// The chip's wear at one time, the input of ledger and forecast.
struct WearSample {
    // Time of the sample by the wall clock, which may be wrong.
    WallTime wall{};
    // /proc/sys/kernel/random/boot_id. The kernel reads a card's wear when it initialises the card,
    // so it does not change within one boot.
    std::string boot_id;
    // Chip id, 16 hexadecimal digits of a hash (mounts/chip_id.h); "" if the chip has no identity.
    std::string chip;
    // "health_hal", "sysfs", "ufs" or "ext_csd".
    std::string source;
    WearReading wear;
    // Bytes that the file system of /data has written since mkfs, from lifetime_write_kbytes of
    // ext4 or f2fs. Absent if it does not report. BuildLedger() interprets decreases.
    std::optional<uint64_t> filesystem_written_bytes;
};

// Bytes that a file system has written since mkfs, from lifetime_write_kbytes of ext4 or f2fs
// (Documentation/ABI/testing/sysfs-fs-ext4, sysfs-fs-f2fs). `device` is the kernel's name of its
// device, such as "dm-0". The error names the missing or implausible value; other file systems keep
// no count.
android::base::Result<uint64_t> ReadLifetimeWrites(const FileReader& files, const std::string& type,
                                                   const std::string& device);

}  // namespace storekeeper
