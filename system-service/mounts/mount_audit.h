// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

// AnandTech, 2013: keep so much free.
inline constexpr uint64_t kFreePct = 20;

// A mount with what else is known of it.
struct AuditedMount {
    Mount mount;
    std::optional<uint64_t> size_bytes;
    std::optional<uint64_t> free_bytes;  // for everybody, f_bavail
    // What encrypts it: "dm-crypt", "dm-default-key", "fscrypt", "none"; "" when not known.
    std::string layer;
    // TakesDiscards() of its devices.
    std::optional<bool> discards;
    // Where the root of its file system can be seen; "" if nowhere. `mount` may be a folder of it,
    // or be covered by another mount.
    std::string root_at;
    // Whether storekeeperd trims its file system, by any mount of its root.
    bool maintained = false;
};

// The most mounts that a report lists: two screens of 24 lines are what a reader takes in, and a
// phone has about a dozen file systems on a disk. dumpsys gives up after 10 seconds.
inline constexpr size_t kMaxListedMounts = 48;

// Indices of the mount points that a report lists, ascending. /data is kept first of all, then
// those that `configured` names (entries of ro.storekeeper.trim.mounts), then those that a pattern
// there covers, then others.
std::vector<size_t> ListedMounts(const std::vector<std::string>& mount_points,
                                 const std::vector<std::string>& configured);

// Leaves those alone in `all`, and returns how many were left out. `point` gives the mount point of
// an element.
template <typename T, typename Point>
uint64_t KeepListedMounts(const std::vector<std::string>& configured, const Point& point,
                          std::vector<T>* all) {
    std::vector<std::string> points;
    points.reserve(all->size());
    for (const T& each : *all) points.push_back(point(each));
    std::vector<T> kept;
    for (const size_t at : ListedMounts(points, configured)) kept.push_back(std::move((*all)[at]));
    const uint64_t left_out = all->size() - kept.size();
    *all = std::move(kept);
    return left_out;
}

struct MountAuditInputs {
    std::vector<AuditedMount> mounts;
    uint64_t mounts_left_out = 0;  // KeepListedMounts()
    // Whether the chip keeps what was written in a cache that a power cut empties.
    std::optional<bool> volatile_cache;
};

// Whether an entry of ro.storekeeper.trim.mounts names this mount. "/mnt/expand/*" names each mount
// right in that folder, as adopted storage is.
bool CoversMount(std::string_view entry, std::string_view mount_point);

// Gathers what AuditMounts() wants: of /proc/self/mountinfo, /sys/dev/block and statvfs(2). File
// systems on a disk that are written to, once for each, and shared storage, once for each type.
// `volatile_cache`: what the chip says of its cache, where its register was read; absent, sysfs is
// asked. `trimmed`: the entries of ro.storekeeper.trim.mounts; `property` gives a system
// property, "" when it is not set: ro.crypto.* report the encryption, which sysfs does not.
android::base::Result<MountAuditInputs> ReadMountFacts(
        const FileReader& files, Syscalls& syscalls, std::optional<bool> volatile_cache,
        const std::vector<std::string>& trimmed,
        const std::function<std::string(const std::string&)>& property);

struct MountFinding {
    enum class Level { kInfo, kWarning, kUrgent };

    std::string code;
    Level level = Level::kInfo;
    std::string mount;
    std::string text;
    std::string cost;    // to the user
    std::string change;  // what to do about it
};

// "info", "warning", "urgent".
std::string MountFindingLevelName(MountFinding::Level level);

// What the mounts cost speed, life or safety; the worst first. Codes: fuse, sdcardfs, esdfs,
// nobarrier, fsync_nobarrier, discard_mount, no_discard, data_folder, free_space, encryption,
// ext4_fsync, data_journal, sync_mount, atime, gc_off.
std::vector<MountFinding> AuditMounts(const MountAuditInputs& inputs);

}  // namespace storekeeper
