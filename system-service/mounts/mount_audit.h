// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
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
    // Whether its device takes discards: discard_max_bytes of its queue is not 0.
    std::optional<bool> discards;
    // Whether storekeeperd trims it.
    bool maintained = false;
};

struct MountAuditInputs {
    std::vector<AuditedMount> mounts;
    // Whether the chip keeps what was written in a cache that a power cut empties.
    std::optional<bool> volatile_cache;
};

// Gathers what AuditMounts() wants: of /proc/self/mountinfo, /sys/dev/block and statvfs(2). File
// systems on a disk that are written to, once for each, and shared storage, once for each type.
// `volatile_cache`: what the chip says of its cache, where its register was read; absent, sysfs is
// asked. `trimmed` are the mount points that storekeeperd trims; `property` gives a system
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
// nobarrier, fsync_nobarrier, discard_mount, no_discard, free_space, encryption, ext4_fsync,
// data_journal, sync_mount, atime, gc_off.
std::vector<MountFinding> AuditMounts(const MountAuditInputs& inputs);

}  // namespace storekeeper
