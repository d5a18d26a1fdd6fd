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

// One line of /proc/self/mountinfo (proc(5)). Octal escapes are decoded, except that of a newline.
// Names are bytes; use Printable() to show them.
struct Mount {
    int id = 0;
    int parent_id = 0;
    dev_t device = 0;
    std::string root;  // the part of the file system that is mounted; "/" but for bind mounts
    std::string mount_point;
    std::string type;
    std::string source;
    std::string mount_options;  // options of this mount, comma-separated: "rw,nosuid,noatime"
    std::string options;        // options of the file system: "rw,discard"
    bool read_only = false;     // true if the mount or its file system is read-only

    // HasOption() looks in `options`, HasMountOption() in `mount_options`.
    bool HasOption(std::string_view name) const;
    bool HasMountOption(std::string_view name) const;
    // True for a file system without a disk that shows the files of another one, such as shared
    // storage.
    bool IsPassthrough() const;
    // The option that keeps fsync() from flushing the disk's cache: "nobarrier", "barrier=0" or
    // "fsync_mode=nobarrier"; "" if none is set.
    std::string_view NoBarrierOption() const;
};

struct MountTable {
    std::vector<Mount> mounts;          // the kernel's order
    std::vector<std::string> problems;  // malformed lines and their defects
    // index into `mounts` of the visible mount at a path
    std::map<std::string, size_t, std::less<>> visible;

    // The visible mount at exactly this path: the topmost of several. Null if there is none.
    const Mount* FindVisible(std::string_view path) const;
};

// Malformed lines are skipped and listed in `problems`.
MountTable ParseMountinfo(std::string_view text);

// The mount on /data and the whole disk below it.
struct DataVolume {
    Mount mount;
    dev_t disk = 0;
};

// The error names the missing part: the mount table, /data, or a single disk below it.
android::base::Result<DataVolume> FindDataVolume(const FileReader& files);

}  // namespace storekeeper
