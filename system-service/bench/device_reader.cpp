// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/device_reader.h"

#include <android-base/file.h>

#include "platform/block_device.h"
#include "platform/data_volume.h"
#include "platform/heat.h"
#include "platform/power_supply.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Whether the path is the mount point or below it.
bool IsBelow(const std::string& path, const std::string& mount_point) {
    if (mount_point == "/") return true;
    return path.starts_with(mount_point) &&
           (path.size() == mount_point.size() || path[mount_point.size()] == '/');
}

// The mount that the path lies on: of the deepest ones the last, which is over the others.
const Mount* MountOf(const MountTable& table, const std::string& path) {
    const Mount* found = nullptr;
    for (const Mount& mount : table.mounts) {
        if (!IsBelow(path, mount.mount_point)) continue;
        if (found == nullptr || mount.mount_point.size() >= found->mount_point.size())
            found = &mount;
    }
    return found;
}

// The disk below the mount. Shared storage shows /data's files, or those of a card: vold mounts
// that below /mnt/media_rw by the same name (PublicVolume.cpp).
std::optional<dev_t> DiskBelow(const FileReader& files, const MountTable& table,
                               const Mount& mount) {
    const Result<dev_t> disk = DiskOf(files, mount.device);
    // Anonymous devices, of tmpfs and others, have no name.
    if (disk.ok() && NameOf(files, *disk).ok()) return *disk;
    if (!mount.IsPassthrough()) return std::nullopt;
    const Mount* card = table.At("/mnt/media_rw/" + android::base::Basename(mount.mount_point));
    if (card == &mount) return std::nullopt;
    if (card != nullptr) return DiskBelow(files, table, *card);
    const Result<DataVolume> data = FindDataVolume(files);
    return data.ok() ? std::optional<dev_t>(data->disk) : std::nullopt;
}

}  // namespace

Result<DeviceReader> DeviceReader::Of(const FileReader& files, Syscalls& syscalls,
                                      const std::string& folder) {
    const MountTable table = ParseMountinfo(OR_RETURN(files.ReadTable(kMountinfoPath)));
    const Mount* mount = MountOf(table, folder);
    if (mount == nullptr) return Error() << "nothing is mounted where " << folder << " is";
    DeviceReader reader(files, syscalls, folder);
    reader.place_.mount = *mount;
    reader.disk_ = DiskBelow(files, table, *mount);
    const Result<std::string> name = NameOf(files, mount->device);
    if (mount->type == "f2fs" && name.ok()) reader.f2fs_ = "/sys/fs/f2fs/" + *name;
    if (reader.disk_.has_value()) {
        reader.place_.disk = NameOf(files, *reader.disk_).value_or("");
        reader.place_.volatile_cache = VolatileCacheOf(files, *reader.disk_);
    }
    return reader;
}

DeviceState DeviceReader::Read(bool clocks_first) const {
    DeviceState state;
    if (clocks_first) state.clocks = ClockSet::Now();
    const Result<std::string> diskstats = files_.ReadTable(kDiskstatsPath);
    if (diskstats.ok() && disk_.has_value()) {
        Result<DiskStats> disk = FindDiskStats(*diskstats, *disk_);
        if (disk.ok()) state.disk = *disk;
    }
    const Result<std::string> stat = files_.ReadTable(kProcStatPath);
    if (stat.ok()) {
        const Result<CpuTime> cpu = ParseProcStat(*stat);
        if (cpu.ok()) state.cpu = *cpu;
    }
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
