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

// Recommended free space in percent (AnandTech, 2013).
inline constexpr uint64_t kFreePct = 20;

// A mount and facts about its file system.
struct AuditedMount {
    Mount mount;
    std::optional<uint64_t> size_bytes;
    std::optional<uint64_t> free_bytes;  // available to unprivileged users, f_bavail
    // The encryption layer: "dm-crypt", "dm-default-key", "fscrypt", "none"; "" if unknown.
    std::string layer;
    // The setting by which the storage host encrypts: the mount option "inlinecrypt", or
    // "fileencryption=ice" in the fstab. "" if neither is set.
    std::string inline_crypt;
    // TakesDiscards() of its devices.
    std::optional<bool> discards;
    // True for a loop device, whose discards only punch holes in a file.
    bool loop = false;
    // A visible mount point of its file system's root, "" if none. `mount` may be a folder of the
    // file system, or covered by another mount.
    std::string root_at;
    // True if storekeeperd trims its file system through any mount of its root.
    bool maintained = false;
};

// Limit of mounts in a report: two screens of 24 lines. A phone has about a dozen file systems on a
// disk, and dumpsys gives up after 10 seconds.
inline constexpr size_t kMaxListedMounts = 48;

// Indices of the mount points that a report lists, ascending. Priority: /data, then mount points
// named in `configured` (entries of ro.storekeeper.trim.mounts), then those that match a pattern
// there, then others.
std::vector<size_t> ListedMounts(const std::vector<std::string>& mount_points,
                                 const std::vector<std::string>& configured);

// Removes the mounts that ListedMounts() drops from `all` and returns their number. `point` gives
// the mount point of an element.
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
    // True if the chip of /data has a volatile write cache; absent if unknown.
    std::optional<bool> volatile_cache;
    // True if MediaProvider uses FUSE passthrough where the kernel has it
    // (persist.sys.fuse.passthrough.enable). /mnt/pass_through exists without it, too.
    bool fuse_passthrough = false;
};

// True if an entry of ro.storekeeper.trim.mounts names this mount. "/mnt/expand/*" names each mount
// directly in that folder, such as adopted storage.
bool CoversMount(std::string_view entry, std::string_view mount_point);

// Collects the inputs of AuditMounts() from /proc/self/mountinfo, /sys/dev/block and statvfs(2):
// each writable file system on a disk once, and each type of shared storage once. `volatile_cache`
// comes from the chip's register; without a value sysfs is read. `trimmed` holds the entries of
// ro.storekeeper.trim.mounts. `property` returns a system property, "" if unset: sysfs shows
// neither the encryption (ro.crypto.*) nor FUSE passthrough.
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
    std::string cost;    // harm to the user
    std::string change;  // the recommended remedy
};

// "info", "warning", "urgent".
std::string MountFindingLevelName(MountFinding::Level level);

// Findings about mounts that cost speed, life or safety, worst first. Codes: fuse, sdcardfs, esdfs,
// nobarrier, fsync_nobarrier, discard_mount, no_discard, data_folder, free_space, encryption,
// ext4_fsync, data_journal, sync_mount, atime, gc_off.
std::vector<MountFinding> AuditMounts(const MountAuditInputs& inputs);

}  // namespace storekeeper
