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

// What was known of the chip's wear at a time; the ledger and the forecast are made of these.
struct WearSample {
    // When it was taken; the wall clock may have been wrong then.
    WallTime wall{};
    // /proc/sys/kernel/random/boot_id. A card's wear is read at its initialisation: within one boot
    // it does not move.
    std::string boot_id;
    // Which chip: 16 hexadecimal digits of a hash of its CID, which identifies nobody. "" when the
    // card does not report.
    std::string chip;
    // "health_hal", "sysfs", "ufs" or "ext_csd".
    std::string source;
    WearReading wear;
    // What the file system of /data has written since it was made, by lifetime_write_kbytes of ext4
    // or f2fs. Absent when it does not report; less than before means that it was made anew.
    std::optional<uint64_t> filesystem_written_bytes;
};

// Bytes that a file system has written since it was made, by lifetime_write_kbytes of ext4 or f2fs
// (Documentation/ABI/testing/sysfs-fs-ext4, sysfs-fs-f2fs). `device` is the kernel's name of what
// it is on, such as "dm-0". The error names what is missing, or odd: other file systems keep no
// count.
android::base::Result<uint64_t> ReadLifetimeWrites(const FileReader& files, const std::string& type,
                                                   const std::string& device);

}  // namespace storekeeper
