// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/members.h"

#include <android-base/strings.h>

#include <algorithm>

#include "base/try.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// MAX_DEVICES of include/linux/f2fs_fs.h.
constexpr size_t kMaxMembers = 8;

// Compares `name`, the last component of a path in /dev, with the kernel's name of a device and its
// partition name; below /dev/block/mapper (`mapped`) with its dm name. vold names the
// dm-default-key of a partition after the partition.
bool HasName(const FileReader& files, const std::string& node, const std::string& name,
             bool mapped) {
    if (mapped) return files.ReadAttribute(node + "/dm/name").value_or("") == name;
    const std::string uevent = files.ReadTable(node + "/uevent").value_or("");
    const std::vector<std::string> lines = android::base::Split(uevent, "\n");
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
        return line == "DEVNAME=" + name || line == "PARTNAME=" + name;
    });
}

Result<dev_t> DeviceNamed(const FileReader& files, const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool mapped = path.find("/mapper/") != std::string::npos;
    std::vector<std::string> found;
    const auto numbers = files.List("/sys/dev/block").value_or(std::vector<std::string>());
    for (const std::string& number : numbers) {
        if (HasName(files, "/sys/dev/block/" + number, name, mapped)) found.push_back(number);
    }
    if (found.empty()) return Error() << path << " is not among the block devices of sysfs";
    if (found.size() > 1) {
        return Error() << path << " may be " << found[0] << " or " << found[1] << ": both are '"
                       << name << "'";
    }
    return ParseDevice(found[0]);
}

Result<std::vector<dev_t>> ReadMembers(const FileReader& files, const Mount& mount) {
    const std::string path = "/proc/fs/f2fs/" + TRY(NameOf(files, mount.device)) + "/disk_map";
    if (!files.Exists(path)) return std::vector<dev_t>{mount.device};
    Result<std::vector<std::string>> names = ParseDiskMap(TRY(files.ReadTable(path)));
    if (!names.ok()) return Error() << path << ": " << names.error();
    std::vector<dev_t> devices = {mount.device};
    // The first member is the mounted device, whatever its name was at mkfs time.
    for (size_t i = 1; i < names->size(); ++i) {
        devices.push_back(TRY(DeviceNamed(files, (*names)[i])));
    }
    return devices;
}

}  // namespace

Result<std::vector<std::string>> ParseDiskMap(std::string_view disk_map) {
    std::vector<std::string> paths;
    for (const std::string& line : android::base::Split(std::string(disk_map), "\n")) {
        if (!line.starts_with("Disk:")) continue;
        constexpr std::string_view kOn = " on ";
        const size_t on = line.find(kOn);
        std::string path = on == std::string::npos ? "" : line.substr(on + kOn.size());
        if (!path.starts_with("/dev/") || path.ends_with("/")) {
            return Error() << "'" << line << "' names no device";
        }
        paths.push_back(std::move(path));
        if (paths.size() > kMaxMembers) return Error() << "more than 8 devices";
    }
    return paths;
}

Members MembersOf(const FileReader& files, const Mount& mount) {
    if (mount.type != "f2fs") return {.devices = {mount.device}};
    Result<std::vector<dev_t>> devices = ReadMembers(files, mount);
    if (devices.ok()) return {.devices = std::move(*devices)};
    return {.devices = {mount.device}, .problem = devices.error().message()};
}

Result<std::vector<dev_t>> DisksOf(const FileReader& files, const std::vector<dev_t>& devices) {
    std::vector<dev_t> disks;
    for (const dev_t device : devices) {
        const dev_t disk = TRY(DiskOf(files, device));
        if (std::find(disks.begin(), disks.end(), disk) == disks.end()) disks.push_back(disk);
    }
    return disks;
}

}  // namespace storekeeper
