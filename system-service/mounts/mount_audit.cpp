// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/mount_audit.h"

#include <android-base/parsebool.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/fstab.h"
#include "mounts/members.h"

namespace storekeeper {
namespace {

using android::base::Result;
using Level = MountFinding::Level;
using Property = std::function<std::string(const std::string&)>;

constexpr std::string_view kData = "/data";

// Below this free space a controller moves more data than the host writes.
constexpr uint64_t kFreeUrgentPct = 5;
// Smaller partitions hold the contents of an image; their fill level causes no wear.
constexpr uint64_t kSmall = 1 << 30;

bool IsDisk(const Mount& mount) {
    return mount.type == "ext4" || mount.type == "f2fs";
}

// Small partitions of keys, calibration and checkpoint state, with a few writes a boot. Android and
// vendors mount them with sync, discard or data=journal on purpose, at names of their own such as
// /efs. SELinux keeps storekeeperd out of /mnt/vendor and /mnt/product, so it can neither trim
// those nor learn their size.
bool IsPlatformState(const AuditedMount& audited) {
    const std::string& point = audited.mount.mount_point;
    return point == "/metadata" || point.starts_with("/mnt/vendor/") ||
           point.starts_with("/mnt/product/") ||
           (!audited.maintained && audited.size_bytes.value_or(kSmall) < kSmall);
}

// Mount points of shared storage: for apps and shells, and for processes outside of their
// namespaces.
constexpr const char* kShared[] = {"/storage/", "/mnt/user/", "/mnt/runtime/default/"};

bool IsShared(const Mount& mount) {
    return mount.IsPassthrough() &&
           std::any_of(std::begin(kShared), std::end(kShared),
                       [&](const char* folder) { return mount.mount_point.starts_with(folder); });
}

bool IsWritableDisk(const Mount& mount) {
    return !mount.read_only && mount.source.starts_with("/dev/") && IsDisk(mount);
}

// /data is the best known name of its file system. Otherwise the name with the fewest folders wins,
// because root solutions mirror mounts deep below /dev or /sbin.
bool IsMoreFamiliar(const Mount& mount, const Mount& than) {
    if (than.mount_point == kData) return mount.mount_point == kData;
    const auto folders = [](const Mount& named) {
        return std::count(named.mount_point.begin(), named.mount_point.end(), '/');
    };
    return mount.mount_point == kData || folders(mount) < folders(than);
}

// Selects writable file systems on disks and shared storage, each file system and each type once.
std::vector<Mount> SelectAuditedMounts(const MountTable& table) {
    std::vector<Mount> chosen;
    std::map<dev_t, size_t> places;
    std::set<std::string> shared;
    for (const Mount& mount : table.mounts) {
        const bool is_data = mount.mount_point == kData;
        const bool visible = table.FindVisible(mount.mount_point) == &mount;
        // A mount over /data does not change the cost of the file system below.
        if (IsWritableDisk(mount) && (is_data || (visible && mount.root == "/"))) {
            const auto [place, added] = places.emplace(mount.device, chosen.size());
            if (added) {
                chosen.push_back(mount);
            } else if (IsMoreFamiliar(mount, chosen[place->second])) {
                chosen[place->second] = mount;
            }
        } else if (visible && IsShared(mount) && shared.insert(mount.type).second) {
            chosen.push_back(mount);
        }
    }
    return chosen;
}

// The visible mount points of each file system's root.
std::map<dev_t, std::vector<std::string>> RootsOf(const MountTable& table) {
    std::map<dev_t, std::vector<std::string>> roots;
    for (const Mount& mount : table.mounts) {
        if (mount.root == "/" && table.FindVisible(mount.mount_point) == &mount) {
            roots[mount.device].push_back(mount.mount_point);
        }
    }
    return roots;
}

// The first of `points` that an entry of `configured` covers; "" if none.
std::string FirstCovered(const std::vector<std::string>& points,
                         const std::vector<std::string>& configured) {
    for (const std::string& point : points) {
        if (std::any_of(configured.begin(), configured.end(),
                        [&](const std::string& entry) { return CoversMount(entry, point); })) {
            return point;
        }
    }
    return "";
}

enum class Importance { kData, kNamed, kCovered, kOther };

Importance ImportanceOf(const std::string& point, const std::vector<std::string>& configured) {
    if (point == kData) return Importance::kData;
    if (std::find(configured.begin(), configured.end(), point) != configured.end()) {
        return Importance::kNamed;
    }
    return FirstCovered({point}, configured).empty() ? Importance::kOther : Importance::kCovered;
}

// vold sets ro.crypto.type to "block" for dm-crypt and to "file" for fscrypt, and sets
// ro.crypto.metadata.enabled if dm-default-key lies below. These properties describe /data only.
std::string LayerOf(const FileReader& files, const Mount& mount, const Property& property) {
    const std::string dm = SysfsOf(mount.device) + "/dm";
    const bool mapped = files.Exists(dm + "/name");
    // cryptsetup sets this uuid; Android's tables have none.
    Result<std::string> uuid = files.ReadAttribute(dm + "/uuid");
    if (uuid.ok() && uuid->starts_with("CRYPT-")) return "dm-crypt";
    if (mount.mount_point == kData) {
        const std::string type = property("ro.crypto.type");
        if (mapped && type == "block") return "dm-crypt";
        if (mapped && property("ro.crypto.metadata.enabled") == "true") return "dm-default-key";
        if (type == "file") return "fscrypt";
        if (!mapped && property("ro.crypto.state") == "encrypted") return "";
    }
    if (mount.HasOption("inlinecrypt")) return "fscrypt";
    return mapped ? "" : "none";
}

// Kernels before the option inlinecrypt have a mode of their own for the storage host.
std::string InlineCryptOf(const FileReader& files, const Mount& mount, const Property& property) {
    if (mount.HasOption("inlinecrypt")) return "inlinecrypt";
    const bool ice = mount.mount_point == kData &&
                     EncryptsInHost(ReadFstab(files, property), mount.mount_point);
    return ice ? "fileencryption=ice" : "";
}

std::optional<bool> CacheOf(const FileReader& files, const std::vector<Mount>& mounts) {
    for (const Mount& mount : mounts) {
        if (mount.mount_point != kData) continue;
        Result<dev_t> disk = DiskOf(files, mount.device);
        if (disk.ok()) return VolatileCacheOf(files, *disk);
    }
    return std::nullopt;
}

std::optional<MountFinding> Passthrough(const AuditedMount& audited,
                                        const MountAuditInputs& inputs) {
    const std::string& type = audited.mount.type;
    if (type == "fuse") {
        MountFinding finding{.code = type, .text = "shared storage goes through a FUSE daemon"};
        if (inputs.fuse_passthrough) {
            finding.text += ", with FUSE passthrough if the kernel has it";
            finding.cost = "little speed with it; without, up to 30 % of the speed of files there";
            finding.change = "nothing if the kernel has it, as android12-5.4 and later do";
            return finding;
        }
        finding.level = Level::kWarning;
        finding.cost = "up to 30 % of the speed of files there, and two context switches a request";
        finding.change =
                "FUSE passthrough of Android 12: a kernel with it and "
                "persist.sys.fuse.passthrough.enable=true";
        return finding;
    }
    if (type == "sdcardfs" || type == "esdfs") {
        return MountFinding{.code = type,
                            .text = "shared storage is a layer of the kernel, " + type,
                            .cost = type == "sdcardfs"
                                            ? "little speed; it is gone from kernels after 5.4"
                                            : "little speed; no other vendor maintains it",
                            .change = "nothing"};
    }
    return std::nullopt;
}

std::optional<MountFinding> Barrier(const AuditedMount& audited, const MountAuditInputs& inputs) {
    const Mount& mount = audited.mount;
    const std::string_view option = mount.NoBarrierOption();
    if (!IsDisk(audited.mount) || option.empty()) return std::nullopt;
    const bool none = option != "fsync_mode=nobarrier";
    MountFinding finding{.code = none ? "nobarrier" : "fsync_nobarrier",
                         .level = none ? Level::kUrgent : Level::kWarning,
                         .change = none ? "mount it without nobarrier"
                                        : "mount it with fsync_mode=posix"};
    finding.text = none ? "mounted with nobarrier: fsync() does not reach the flash"
                        : "fsync_mode=nobarrier: fsync() does not empty the chip's cache, "
                          "checkpoints do";
    finding.cost = none ? "a power cut loses what was reported safe, and can harm the file system"
                        : "a power cut loses the last of what was reported safe";
    if (!inputs.volatile_cache.has_value()) {
        finding.level = none ? Level::kWarning : Level::kInfo;
        finding.text += "; whether the chip has a volatile cache on is not known";
    } else if (*inputs.volatile_cache) {
        finding.text += ", and the chip's volatile cache is on";
    } else {
        finding.level = Level::kInfo;
        finding.text += "; the chip has no volatile cache on";
        finding.cost = "none while the cache stays off";
    }
    return finding;
}

std::optional<MountFinding> Discard(const AuditedMount& audited, const MountAuditInputs&) {
    const Mount& mount = audited.mount;
    if (!IsDisk(mount) || IsPlatformState(audited) || audited.loop) return std::nullopt;
    MountFinding finding{.code = "no_discard",
                         .level = Level::kWarning,
                         .cost = "the chip keeps copying deleted data: writes get slower and wear "
                                 "increases"};
    if (audited.discards == false) {
        finding.text = "discards do not reach the chip";
        finding.change = audited.layer == "dm-crypt"
                                 ? "allow_discards for its dm-crypt"
                                 : "a device mapper table or a driver that passes discards on";
        return finding;
    }
    if (mount.HasOption("discard")) {
        // f2fs collects discards and sends them while idle.
        if (mount.type != "ext4") return std::nullopt;
        return MountFinding{.code = "discard_mount",
                            .level = Level::kWarning,
                            .text = "ext4 with discard sends one at every commit that frees blocks",
                            .cost = "deleting and syncing files waits for the chip",
                            .change = std::string("leave discard out of the fstab") +
                                      (audited.maintained ? ": maintenance trims it"
                                                          : ", if something trims it instead")};
    }
    // Folder() covers mounts of a folder.
    if (audited.maintained || mount.root != "/") return std::nullopt;
    finding.text = "mounted without discard, and nothing trims it";
    if (audited.root_at.empty()) {
        finding.text += ": another mount lies over it";
        finding.change = "unmount what lies over it";
    } else {
        finding.change = "add " + audited.root_at + " to ro.storekeeper.trim.mounts";
    }
    return finding;
}

// A trim needs the root of a file system, so a mount of a folder is never trimmed.
std::optional<MountFinding> Folder(const AuditedMount& audited, const MountAuditInputs&) {
    const Mount& mount = audited.mount;
    if (!IsDisk(mount) || mount.root == "/") return std::nullopt;
    MountFinding finding{.code = "data_folder",
                         .text = "it is the folder " + mount.root + " of the file system on " +
                                 mount.source + ", whose root is mounted "};
    finding.text += audited.root_at.empty() ? "nowhere" : "on " + audited.root_at;
    if (audited.maintained) {
        finding.cost = "none: its file system is trimmed at its root";
        finding.change = "nothing";
        return finding;
    }
    finding.level = Level::kWarning;
    finding.cost =
            "nothing trims it, because a trim acts on the whole file system: writes get "
            "slower and wear increases";
    finding.change = audited.root_at.empty()
                             ? "mount that root as well and add it to ro.storekeeper.trim.mounts"
                             : "add " + audited.root_at + " to ro.storekeeper.trim.mounts";
    return finding;
}

std::optional<MountFinding> FreeSpace(const AuditedMount& audited, const MountAuditInputs&) {
    if (!IsDisk(audited.mount) || !audited.size_bytes.has_value() ||
        !audited.free_bytes.has_value() || *audited.size_bytes < kSmall) {
        return std::nullopt;
    }
    // Dividing by a hundredth avoids an overflow of free_bytes * 100.
    const uint64_t pct = *audited.free_bytes / (*audited.size_bytes / 100);
    if (pct >= kFreePct) return std::nullopt;
    return MountFinding{.code = "free_space",
                        .level = pct < kFreeUrgentPct ? Level::kUrgent : Level::kWarning,
                        .text = std::to_string(pct) + " % free, less than " +
                                std::to_string(kFreePct) + " %",
                        .cost = "random writes many times slower, and more wear for each",
                        .change = "free space; trims cannot help a device that is full"};
}

std::optional<MountFinding> Encryption(const AuditedMount& audited, const MountAuditInputs&) {
    if (!IsDisk(audited.mount) || audited.layer.empty()) return std::nullopt;
    MountFinding finding{.code = "encryption"};
    if (audited.layer == "dm-crypt") {
        finding.level = Level::kWarning;
        finding.text = "the whole partition is encrypted by dm-crypt";
        finding.cost =
                "each byte is encrypted apart from file system and queue: 50 to 80 % slower "
                "without fast AES";
        finding.change = "file-based encryption, with inlinecrypt where the chip's host has it";
    } else if (audited.layer == "none") {
        if (audited.mount.mount_point != kData) return std::nullopt;
        finding.text = "not encrypted";
        finding.cost = "no speed; anyone who has the device can read it";
        finding.change = "file-based encryption";
    } else {
        const bool inline_crypt = !audited.inline_crypt.empty();
        finding.text = "encrypted by " + audited.layer +
                       (inline_crypt ? ", by the storage host (" + audited.inline_crypt + ")" : "");
        finding.cost = inline_crypt ? "next to none" : "CPU time for each byte";
        finding.change = inline_crypt ? "nothing" : "inlinecrypt where the chip's host has it";
    }
    return finding;
}

std::optional<MountFinding> FileSystem(const AuditedMount& audited, const MountAuditInputs&) {
    const Mount& mount = audited.mount;
    if (mount.type != "ext4" || mount.mount_point != kData) return std::nullopt;
    return MountFinding{.code = "ext4_fsync",
                        .text = "ext4 writes its journal at every fsync()",
                        .cost = "about twice the writes of f2fs at fsync(), in time and in life",
                        .change = "f2fs, at the next factory reset"};
}

std::optional<MountFinding> Journal(const AuditedMount& audited, const MountAuditInputs&) {
    if (!audited.mount.HasOption("data=journal") || IsPlatformState(audited)) {
        return std::nullopt;
    }
    return MountFinding{.code = "data_journal",
                        .level = Level::kWarning,
                        .text = "data=journal: everything is written to the journal first",
                        .cost = "each byte is written twice: half the speed and half the life",
                        .change = "data=ordered, the default"};
}

std::optional<MountFinding> Sync(const AuditedMount& audited, const MountAuditInputs&) {
    const Mount& mount = audited.mount;
    if (!IsDisk(mount) || IsPlatformState(audited) ||
        (!mount.HasOption("sync") && !mount.HasOption("dirsync"))) {
        return std::nullopt;
    }
    return MountFinding{.code = "sync_mount",
                        .level = Level::kWarning,
                        .text = "mounted with sync or dirsync: every write waits for the flash",
                        .cost = "writes are many times slower, and small ones wear more",
                        .change = "mount it without sync; programs that need it call fsync()"};
}

std::optional<MountFinding> Atime(const AuditedMount& audited, const MountAuditInputs&) {
    const Mount& mount = audited.mount;
    if (!IsDisk(mount) || mount.HasMountOption("noatime")) return std::nullopt;
    const bool relative = mount.HasMountOption("relatime");
    return MountFinding{.code = "atime",
                        .level = relative ? Level::kInfo : Level::kWarning,
                        .text = relative ? "relatime: a file's first read of a day writes"
                                         : "without noatime: every read of a file writes its inode",
                        .cost = "writes that no program needs",
                        .change = "mount it with noatime"};
}

std::optional<MountFinding> Gc(const AuditedMount& audited, const MountAuditInputs&) {
    if (audited.mount.type != "f2fs" || !audited.mount.HasOption("background_gc=off")) {
        return std::nullopt;
    }
    return MountFinding{.code = "gc_off",
                        .level = Level::kWarning,
                        .text = "background_gc=off: f2fs collects garbage when it has to",
                        .cost = "writes wait for it once free segments run out",
                        .change = "background_gc=on"};
}

constexpr std::array kRules = {Passthrough, Barrier, Discard,    Folder, FreeSpace, Encryption,
                               Journal,     Sync,    FileSystem, Atime,  Gc};

}  // namespace

bool CoversMount(std::string_view entry, std::string_view mount_point) {
    if (!entry.ends_with("/*")) return mount_point == entry;
    entry.remove_suffix(1);
    return mount_point.size() > entry.size() && mount_point.starts_with(entry) &&
           mount_point.find('/', entry.size()) == std::string_view::npos;
}

std::vector<size_t> ListedMounts(const std::vector<std::string>& mount_points,
                                 const std::vector<std::string>& configured) {
    std::vector<size_t> listed(mount_points.size());
    std::iota(listed.begin(), listed.end(), size_t{0});
    if (listed.size() <= kMaxListedMounts) return listed;
    std::vector<Importance> importance;
    importance.reserve(mount_points.size());
    for (const std::string& point : mount_points) {
        importance.push_back(ImportanceOf(point, configured));
    }
    std::stable_sort(listed.begin(), listed.end(),
                     [&](size_t a, size_t b) { return importance[a] < importance[b]; });
    listed.resize(kMaxListedMounts);
    std::sort(listed.begin(), listed.end());
    return listed;
}

Result<MountAuditInputs> ReadMountFacts(const FileReader& files, Syscalls& syscalls,
                                        std::optional<bool> volatile_cache,
                                        const std::vector<std::string>& trimmed,
                                        const Property& property) {
    const MountTable table = ParseMountinfo(TRY(files.ReadTable(kMountinfoPath)));
    std::map<dev_t, std::vector<std::string>> roots_of = RootsOf(table);
    std::vector<Mount> mounts = SelectAuditedMounts(table);
    MountAuditInputs inputs;
    // Mounts are dropped before any of their files are read.
    inputs.mounts_left_out = KeepListedMounts(
            trimmed,
            [&](const Mount& mount) {
                if (mount.mount_point == kData) return mount.mount_point;
                const std::string covered = FirstCovered(roots_of[mount.device], trimmed);
                return covered.empty() ? mount.mount_point : covered;
            },
            &mounts);
    inputs.fuse_passthrough =
            android::base::ParseBool(property("persist.sys.fuse.passthrough.enable")) ==
            android::base::ParseBoolResult::kTrue;
    inputs.volatile_cache = volatile_cache.has_value() ? volatile_cache : CacheOf(files, mounts);
    for (const Mount& mount : mounts) {
        AuditedMount audited{.mount = mount};
        const std::vector<std::string>& roots = roots_of[mount.device];
        if (std::count(roots.begin(), roots.end(), mount.mount_point) != 0) {
            audited.root_at = mount.mount_point;
        } else if (!roots.empty()) {
            audited.root_at = roots.front();
        }
        audited.maintained = !FirstCovered(roots, trimmed).empty();
        // statvfs(2) would measure a mount that covers this one.
        const bool visible = table.FindVisible(mount.mount_point)->device == mount.device;
        Result<struct statvfs> space = syscalls.Statvfs(mount.mount_point);
        if (visible && space.ok()) {
            audited.size_bytes = uint64_t{space->f_blocks} * space->f_frsize;
            audited.free_bytes = uint64_t{space->f_bavail} * space->f_frsize;
        }
        if (IsWritableDisk(mount)) {
            audited.layer = LayerOf(files, mount, property);
            audited.inline_crypt = InlineCryptOf(files, mount, property);
            audited.discards = TakesDiscards(files, MembersOf(files, mount).devices);
            audited.loop = files.Exists(SysfsOf(mount.device) + "/loop/backing_file");
        }
        inputs.mounts.push_back(std::move(audited));
    }
    return inputs;
}

std::string MountFindingLevelName(Level level) {
    if (level == Level::kInfo) return "info";
    return level == Level::kWarning ? "warning" : "urgent";
}

std::vector<MountFinding> AuditMounts(const MountAuditInputs& inputs) {
    std::vector<MountFinding> findings;
    for (const AuditedMount& audited : inputs.mounts) {
        for (const auto& rule : kRules) {
            std::optional<MountFinding> finding = rule(audited, inputs);
            if (!finding.has_value()) continue;
            finding->mount = audited.mount.mount_point;
            findings.push_back(*std::move(finding));
        }
    }
    std::stable_sort(findings.begin(), findings.end(),
                     [](const MountFinding& a, const MountFinding& b) {
                         return a.level > b.level;
                     });
    return findings;
}

}  // namespace storekeeper
