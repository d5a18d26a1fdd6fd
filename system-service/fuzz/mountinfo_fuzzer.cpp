// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Input: /proc/self/mountinfo, whose paths and options any user who mounts can choose, and the
// disk_map of f2fs.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "mounts/members.h"
#include "mounts/mount_audit.h"
#include "mounts/mountinfo.h"

using namespace storekeeper;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    MountTable table = ParseMountinfo({reinterpret_cast<const char*>(data), size});
    MountAuditInputs inputs{.volatile_cache = size % 2 == 0};
    for (const Mount& mount : table.mounts) {
        // Some mount is seen at each mount point.
        const Mount* seen = table.FindVisible(mount.mount_point);
        if (seen == nullptr || seen->mount_point != mount.mount_point) __builtin_trap();
        inputs.mounts.push_back({.mount = mount, .size_bytes = size << 30, .free_bytes = size});
    }
    for (const MountFinding& finding : AuditMounts(inputs)) {
        if (finding.code.empty() || finding.change.empty()) __builtin_trap();
    }
    const auto members = ParseDiskMap({reinterpret_cast<const char*>(data), size});
    if (members.ok()) {
        for (const std::string& path : *members) {
            if (!path.starts_with("/dev/")) __builtin_trap();
        }
    }
    return 0;
}
