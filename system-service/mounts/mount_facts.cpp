// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/mount_facts.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Result;

// Where shared storage is seen: by apps and shells, and by what runs outside of their namespaces.
constexpr const char* kShared[] = {"/storage/", "/mnt/user/", "/mnt/runtime/default/"};

using Property = std::function<std::string(const std::string&)>;

bool IsShared(const Mount& mount) {
    return mount.IsPassthrough() &&
           std::any_of(std::begin(kShared), std::end(kShared),
                       [&](const char* folder) { return mount.mount_point.starts_with(folder); });
}

bool IsDisk(const Mount& mount) {
    return !mount.read_only && mount.root == "/" && mount.source.starts_with("/dev/") &&
           (mount.type == "ext4" || mount.type == "f2fs");
}

// The mounts that matter, each file system and each kind of shared storage once.
std::vector<Mount> Choose(const MountTable& table) {
    std::vector<Mount> chosen;
    std::set<dev_t> devices;
    std::set<std::string> shared;
    for (const Mount& mount : table.mounts) {
        if (table.At(mount.mount_point) != &mount) continue;
        if ((IsDisk(mount) && devices.insert(mount.device).second) ||
            (IsShared(mount) && shared.insert(mount.type).second)) {
            chosen.push_back(mount);
        }
    }
    return chosen;
}

// vold sets ro.crypto.type "block" for dm-crypt and "file" for fscrypt, and
// ro.crypto.metadata.enabled with dm-default-key below that. They speak of /data.
std::string LayerOf(const FileReader& files, const Mount& mount, const Property& property) {
    const std::string dm = SysfsOf(mount.device) + "/dm";
    const bool mapped = files.Exists(dm + "/name");
    // cryptsetup's; Android's tables have no such uuid.
    Result<std::string> uuid = files.ReadAttribute(dm + "/uuid");
    if (uuid.ok() && uuid->starts_with("CRYPT-")) return "dm-crypt";
    if (mount.mount_point == "/data") {
        const std::string type = property("ro.crypto.type");
        if (mapped && type == "block") return "dm-crypt";
        if (mapped && property("ro.crypto.metadata.enabled") == "true") return "dm-default-key";
        if (type == "file") return "fscrypt";
        if (!mapped && property("ro.crypto.state") == "encrypted") return "";
    }
    if (mount.HasOption("inlinecrypt")) return "fscrypt";
    return mapped ? "" : "none";
}

std::optional<bool> CacheOf(const FileReader& files, const std::vector<Mount>& mounts) {
    for (const Mount& mount : mounts) {
        if (mount.mount_point != "/data") continue;
        Result<dev_t> disk = DiskOf(files, mount.device);
        if (disk.ok()) return VolatileCacheOf(files, *disk);
    }
    return std::nullopt;
}

}  // namespace

Result<MountAuditInputs> ReadMountFacts(const FileReader& files, Syscalls& syscalls,
                                        std::optional<bool> volatile_cache,
                                        const std::vector<std::string>& trimmed,
                                        const Property& property) {
    const std::vector<Mount> mounts = Choose(ParseMountinfo(TRY(files.ReadTable(kMountinfoPath))));
    MountAuditInputs inputs;
    inputs.volatile_cache = volatile_cache.has_value() ? volatile_cache : CacheOf(files, mounts);
    for (const Mount& mount : mounts) {
        AuditedMount audited{.mount = mount};
        Result<struct statvfs> space = syscalls.Statvfs(mount.mount_point);
        if (space.ok()) {
            audited.size_bytes = uint64_t{space->f_blocks} * space->f_frsize;
            audited.free_bytes = uint64_t{space->f_bavail} * space->f_frsize;
        }
        if (IsDisk(mount)) {
            audited.layer = LayerOf(files, mount, property);
            std::optional<uint64_t> most = QueueLimit(files, mount.device, "discard_max_bytes");
            if (most.has_value()) audited.discards = *most != 0;
        }
        audited.maintained =
                std::find(trimmed.begin(), trimmed.end(), mount.mount_point) != trimmed.end();
        inputs.mounts.push_back(std::move(audited));
    }
    return inputs;
}

}  // namespace storekeeper
