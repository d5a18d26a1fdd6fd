// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/file_reader.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

// The block devices that a file system is on. mountinfo has the first one alone.
struct Members {
    // The mount's own device first. Several of an f2fs that was made with `mkfs.f2fs -c`: zoned
    // storage beside an ordinary one, or partitions that Android lends it (`device=exp_alias:` in
    // the fstab).
    std::vector<dev_t> devices;
    // Why others may be missing; "" when all are there.
    std::string problem;
};

// The paths of the members as they were when the file system was made, in its order: of a f2fs'
// /proc/fs/f2fs/NAME/disk_map (fs/f2fs/sysfs.c, from Linux 6.10). Empty when it has one device.
android::base::Result<std::vector<std::string>> ParseDiskMap(std::string_view disk_map);

// Where the kernel has no disk_map it is taken to be on one device.
Members MembersOf(const FileReader& files, const Mount& mount);

// The whole disks that these devices are on in the end, each once, in their order.
android::base::Result<std::vector<dev_t>> DisksOf(const FileReader& files,
                                                  const std::vector<dev_t>& devices);

}  // namespace storekeeper
