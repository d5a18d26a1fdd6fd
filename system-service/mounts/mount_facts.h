// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "mounts/mount_audit.h"

namespace storekeeper {

// Gathers what AuditMounts() wants: of /proc/self/mountinfo, /sys/dev/block and statvfs(2). File
// systems on a disk that are written to, once for each, and shared storage, once for each type.
// `volatile_cache`: what the chip says of its cache, where its register was read; absent, sysfs is
// asked. `trimmed` are the mount points that storekeeperd trims; `property` gives a system
// property, "" when it is not set: ro.crypto.* report the encryption, which sysfs does not.
android::base::Result<MountAuditInputs> ReadMountFacts(
        const FileReader& files, Syscalls& syscalls, std::optional<bool> volatile_cache,
        const std::vector<std::string>& trimmed,
        const std::function<std::string(const std::string&)>& property);

}  // namespace storekeeper
