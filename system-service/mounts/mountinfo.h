// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_reader.h"

namespace storekeeper {

inline constexpr char kMountinfoPath[] = "/proc/self/mountinfo";

// One line of /proc/self/mountinfo (proc(5)), with the octal escapes of its strings undone but for
// that of a newline. Names are bytes: Printable() what is shown of them.
struct Mount {
    int id = 0;
    int parent_id = 0;
    dev_t device = 0;
    std::string root;  // the part of the file system that is mounted; "/" but for bind mounts
    std::string mount_point;
    std::string type;
    std::string source;
    std::string mount_options;  // of this mount, comma-separated: "rw,nosuid,noatime"
    std::string options;        // of the file system: "rw,discard"
    bool read_only = false;     // the mount or its file system

    // Of the file system's; HasMountOption() of the mount's.
    bool HasOption(std::string_view name) const;
    bool HasMountOption(std::string_view name) const;
    // Whether it shows files of another file system, as shared storage does: it has no disk.
    bool IsPassthrough() const;
    // The option for which fsync() does not empty the disk's cache: "nobarrier", "barrier=0" or
    // "fsync_mode=nobarrier"; "" when there is none.
    std::string_view NoBarrierOption() const;
};

struct MountTable {
    std::vector<Mount> mounts;          // in the kernel's order
    std::vector<std::string> problems;  // lines that could not be read, with what is wrong
    std::map<std::string, size_t, std::less<>> visible;  // by path: which of `mounts` At() gives

    // The mount one sees at exactly this path: of several there, the one mounted over the others.
    const Mount* At(std::string_view path) const;
};

// Lines that cannot be read are left out and reported in `problems`.
MountTable ParseMountinfo(std::string_view text);

// Where the user's data lies: what is mounted on /data, and the whole disk that it is on in the
// end.
struct DataVolume {
    Mount mount;
    dev_t disk = 0;
};

// An error says what is not there: the mount table, /data, or one disk below it.
android::base::Result<DataVolume> FindDataVolume(const FileReader& files);

}  // namespace storekeeper
