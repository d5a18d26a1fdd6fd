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

// The block devices of a file system; mountinfo names only the first.
struct Members {
    // The mount's own device first. An f2fs made by `mkfs.f2fs -c` has several: zoned storage
    // beside an ordinary device, or partitions that Android lends it (`device=exp_alias:` in the
    // fstab).
    std::vector<dev_t> devices;
    // The reason why members may be missing; "" if the list is complete.
    std::string problem;
};

// Parses /proc/fs/f2fs/NAME/disk_map (fs/f2fs/sysfs.c, from Linux 6.10): the paths of an f2fs'
// members at mkfs time, in the order of their addresses. Empty for a single device.
android::base::Result<std::vector<std::string>> ParseDiskMap(std::string_view disk_map);

// Finds the members of a mount's file system. Without a disk_map it is assumed to have one device.
Members MembersOf(const FileReader& files, const Mount& mount);

// The whole disks below these devices, without duplicates, in their order.
android::base::Result<std::vector<dev_t>> DisksOf(const FileReader& files,
                                                  const std::vector<dev_t>& devices);

}  // namespace storekeeper
