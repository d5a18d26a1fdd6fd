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
// total. The source is lifetime_write_kbytes of ext4 and f2fs, which survives reboots. A file
// system other than /data that cannot be counted is left out: AOSP's policy labels f2fs's counts
// alone, and many phones have ext4 on /metadata or /cache. An error says why /data is not counted,
// or that nothing is. Reads /proc and sysfs only.
android::base::Result<WrittenReading> ReadWritten(const FileReader& files,
                                                  const std::vector<std::string>& configured);

}  // namespace storekeeper
