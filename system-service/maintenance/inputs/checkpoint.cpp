// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/inputs/checkpoint.h"

#include <android-base/strings.h>

#include <algorithm>
#include <vector>

#include "base/try.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kBlock[] = "/sys/block";
// dm-bow: 0 trim, 1 checkpoint, 2 committed.
constexpr char kCommitted[] = "2";

bool IsWithoutCheckpoints(const Mount& mount) {
    if (mount.type != "f2fs") return false;
    const std::vector<std::string> options = android::base::Split(mount.options, ",");
    return std::any_of(options.begin(), options.end(), [](const std::string& option) {
        // The kernel prints it with the number of blocks that cannot be used meanwhile.
        return option == "checkpoint=disable" ||
               android::base::StartsWith(option, "checkpoint=disable:");
    });
}

}  // namespace

Result<CheckpointReading> ReadCheckpoint(const FileReader& files, const std::string& committed) {
    const MountTable table = ParseMountinfo(TRY(files.ReadTable(kMountinfoPath)));
    for (const Mount& mount : table.mounts) {
        if (!IsWithoutCheckpoints(mount)) continue;
        return CheckpointReading{.pending = true,
                                 .evidence =
                                         mount.mount_point + " is mounted with checkpoint=disable"};
    }
    Result<std::vector<std::string>> devices = files.List(kBlock);
    for (const std::string& device : devices.value_or(std::vector<std::string>())) {
        const std::string path = std::string(kBlock) + "/" + device + "/bow/state";
        if (!files.Exists(path)) continue;
        std::string state = TRY(files.ReadAttribute(path));
        if (state == kCommitted) continue;
        return CheckpointReading{.pending = true,
                                 .evidence = android::base::Join(std::vector{path, state}, " is ")};
    }
    return CheckpointReading{.evidence = committed == "1" ? "committed" : ""};
}

}  // namespace storekeeper
