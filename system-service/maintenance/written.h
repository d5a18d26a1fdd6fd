// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <vector>

#include "base/file_reader.h"
#include "maintenance/policy/policy.h"

namespace storekeeper {

// The sum over the mounted, writable file systems of these entries (TrimRules::given), by the
// lifetime_write_kbytes of ext4 and f2fs, which survive reboots. An error says why the kernel does
// not count one of them, or that none is mounted. Reads /proc and sysfs only.
android::base::Result<WrittenReading> ReadWritten(const FileReader& files,
                                                  const std::vector<std::string>& given);

}  // namespace storekeeper
