// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>

#include "base/file_reader.h"

namespace storekeeper {

// Bytes that a file system has written since it was made, by lifetime_write_kbytes of ext4 or f2fs
// (Documentation/ABI/testing/sysfs-fs-ext4, sysfs-fs-f2fs). `device` is the kernel's name of what
// it is on, such as "dm-0". The error names what is missing, or odd: other file systems keep no
// count.
android::base::Result<uint64_t> ReadLifetimeWrites(const FileReader& files, const std::string& type,
                                                   const std::string& device);

}  // namespace storekeeper
