// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <vector>

#include "base/file_reader.h"
#include "maintenance/policy/policy.h"

namespace storekeeper {

// Bytes written to the mounted, writable file systems of these entries (TrimRules::configured), in
// total. The source is lifetime_write_kbytes of ext4 and f2fs, which survives reboots. An error
// says why the kernel does not count one of them, or that none is mounted. Reads /proc and sysfs
// only.
android::base::Result<WrittenReading> ReadWritten(const FileReader& files,
                                                  const std::vector<std::string>& configured);

}  // namespace storekeeper
