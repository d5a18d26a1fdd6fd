// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/checkpoint.h"

#include <android-base/strings.h>

#include <vector>

#include "platform/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::Split;

constexpr char kBlock[] = "/sys/block";
// dm-bow: 0 trim, 1 checkpoint, 2 committed.
constexpr char kCommitted[] = "2";

// The mount point when this line of mountinfo is an f2fs without checkpoints, "" else.
std::string WithoutCheckpoints(const std::string& line) {
    const size_t separator = line.find(" - f2fs ");
    if (separator == std::string::npos) return "";
    std::vector<std::string> words = Split(line, " ");
    if (words.size() < 5) return "";
    for (const std::string& option : Split(words.back(), ",")) {
        // The kernel prints it with the number of blocks that cannot be used meanwhile.
        if (option == "checkpoint=disable" ||
            android::base::StartsWith(option, "checkpoint=disable:")) {
            return words[4];
        }
    }
    return "";
}

}  // namespace

Result<CheckpointReading> ReadCheckpoint(const FileReader& files, const std::string& committed) {
    for (const std::string& line : Split(OR_RETURN(files.ReadTable(kMountinfoPath)), "\n")) {
        std::string mount = WithoutCheckpoints(line);
        if (mount.empty()) continue;
        return CheckpointReading{.pending = true,
                                 .evidence = mount + " is mounted with checkpoint=disable"};
    }
    Result<std::vector<std::string>> devices = files.List(kBlock);
    for (const std::string& device : devices.value_or(std::vector<std::string>())) {
        const std::string path = std::string(kBlock) + "/" + device + "/bow/state";
        if (!files.Exists(path)) continue;
        std::string state = OR_RETURN(files.ReadAttribute(path));
        if (state == kCommitted) continue;
        return CheckpointReading{.pending = true,
                                 .evidence = android::base::Join(std::vector{path, state}, " is ")};
    }
    return CheckpointReading{.evidence = committed == "1" ? "committed" : ""};
}

}  // namespace storekeeper
