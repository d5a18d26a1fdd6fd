// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/device_reader.h"

#include <android-base/file.h>
#include <errno.h>

#include "base/power_and_heat.h"
#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// The mount of the path: the deepest one above it.
const Mount* MountOf(const MountTable& table, const std::string& path) {
    const Mount* mount = table.FindVisible(path);
    const std::string parent = android::base::Dirname(path);
    return mount != nullptr || parent == path ? mount : MountOf(table, parent);
}

// The disk below the mount. Shared storage shows files of /data or of a card, which vold mounts
// below /mnt/media_rw by the same name (PublicVolume.cpp).
Result<dev_t> DiskBelow(const FileReader& files, const MountTable& table, const Mount& mount) {
    const dev_t disk = TRY(DiskOf(files, mount.device));
    // Anonymous devices, as of tmpfs, have no name.
    const Result<std::string> name = NameOf(files, disk);
    if (name.ok()) return disk;
    if (name.error().code() != ENOENT) return android::base::unexpected(name.error());
    const Mount* card =
            table.FindVisible("/mnt/media_rw/" + android::base::Basename(mount.mount_point));
    if (!mount.IsPassthrough() || card == &mount) {
        return Error() << mount.type << " on " << mount.mount_point << " stands on no disk";
    }
    if (card != nullptr) return DiskBelow(files, table, *card);
    return TRY(FindDataVolume(files)).disk;
}

// f2fs on several devices is larger than the one that mountinfo names (zoned storage: `device=` of
// fs_mgr's fstab).
bool HasMoreDevices(const FileReader& files, const Mount& mount, const DeviceState& state) {
    const std::optional<uint64_t> first = BytesOf(files, mount.device);
    return mount.type == "f2fs" && first.has_value() && state.size_bytes.value_or(0) > *first;
}

// An error if this disk's counters are missing or off.
Result<void> CheckCounters(const FileReader& files, dev_t disk, const std::string& name) {
    TRY(FindDiskStats(TRY(files.ReadTable(kDiskstatsPath)), disk));
    if (QueueLimit(files, disk, "iostats") == 0) {
        return Error() << "/sys/block/" << name << "/queue/iostats is 0, so that the kernel counts "
                       << "nothing; write 1 there";
    }
    return {};
}

// Absent if a counter is missing or went back.
std::optional<uint64_t> Difference(std::optional<uint64_t> was, std::optional<uint64_t> is) {
    return was.has_value() && is >= was ? std::optional(*is - *was) : std::nullopt;
}

}  // namespace

Result<uint64_t> FreeBytes(Syscalls& syscalls, const std::string& folder) {
    const struct statvfs space = TRY(syscalls.Statvfs(folder));
    return uint64_t{space.f_bavail} * space.f_frsize;
}

std::optional<DiskStats> DiskBetween(const DeviceState& before, const DeviceState& after) {
    if (!before.disk.has_value() || !after.disk.has_value()) return std::nullopt;
    const DiskStats& was = *before.disk;
    const DiskStats& is = *after.disk;
    if (is.read_bytes < was.read_bytes || is.written_bytes < was.written_bytes ||
        is.busy < was.busy) {
        return std::nullopt;
    }
    DiskStats done;
    done.read_bytes = is.read_bytes - was.read_bytes;
    done.written_bytes = is.written_bytes - was.written_bytes;
    done.discarded_bytes = Difference(was.discarded_bytes, is.discarded_bytes);
    done.flushes = Difference(was.flushes, is.flushes);
    done.busy = is.busy - was.busy;
    return done;
}

Result<DeviceReader> DeviceReader::ForFolder(const FileReader& files, Syscalls& syscalls,
                                             const std::string& folder) {
    const MountTable table = ParseMountinfo(TRY(files.ReadTable(kMountinfoPath)));
    const Mount* mount = MountOf(table, folder);
    if (mount == nullptr) return Error() << "nothing is mounted where " << folder << " is";
    DeviceReader reader(files, syscalls, folder);
    reader.place_.mount = *mount;
    const Result<std::string> name = NameOf(files, mount->device);
    if (mount->type == "f2fs" && name.ok()) reader.f2fs_ = "/sys/fs/f2fs/" + *name;
    const Result<void> watched = reader.FindDisk(table);
    if (!watched.ok()) {
        reader.disk_.reset();
        reader.place_.no_disk = watched.error().message();
    }
    return reader;
}

Result<void> DeviceReader::FindDisk(const MountTable& table) {
    disk_ = TRY(DiskBelow(files_, table, place_.mount));
    place_.disk = TRY(NameOf(files_, *disk_));
    place_.volatile_cache = VolatileCacheOf(files_, *disk_);
    if (HasMoreDevices(files_, place_.mount, Read(/*clocks_first=*/true))) {
        return Error() << place_.mount.mount_point << " stands on several disks";
    }
    return CheckCounters(files_, *disk_, place_.disk);
}

DeviceState DeviceReader::Read(bool clocks_first) const {
    DeviceState state;
    if (clocks_first) state.clocks = ClockSet::Now();
    if (disk_.has_value()) {
        const auto disk = FindDiskStats(files_.ReadTable(kDiskstatsPath).value_or(""), *disk_);
        if (disk.ok()) state.disk = *disk;
    }
    const auto cpu = ParseProcStat(files_.ReadTable(kProcStatPath).value_or(""));
    if (cpu.ok()) state.cpu = *cpu;
    state.limits = ReadCpuLimits(files_);
    state.zone_tenths = ReadZones(files_).hottest;
    state.battery_tenths = ReadBatteryHeat(files_).value_or(std::nullopt);
    const Result<PowerReading> power = ReadPowerSupply(files_);
    if (power.ok()) state.charging = power->on_charger;
    const Result<struct statvfs> space = syscalls_.Statvfs(folder_);
    if (space.ok()) {
        state.free_bytes = uint64_t{space->f_bavail} * space->f_frsize;
        state.size_bytes = uint64_t{space->f_blocks} * space->f_frsize;
    }
    if (!f2fs_.empty()) {
        state.f2fs_moved_blocks = ReadCount(files_, f2fs_ + "/moved_blocks_background");
    }
    if (!clocks_first) state.clocks = ClockSet::Now();
    return state;
}

}  // namespace storekeeper
