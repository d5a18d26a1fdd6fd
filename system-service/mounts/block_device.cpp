// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/block_device.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>
#include <errno.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/diskstats.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::ParseUint;
using android::base::Result;

// No device stacks as deep; the bound ends a loop in sysfs.
constexpr int kMaxStack = 16;

Result<dev_t> ReadDevice(const FileReader& files, const std::string& path) {
    const Result<dev_t> device = ParseDevice(TRY(files.ReadAttribute(path)));
    if (!device.ok()) return Error() << path << ": " << device.error();
    return *device;
}

Result<dev_t> DiskBelow(const FileReader& files, dev_t device, int depth) {
    if (depth > kMaxStack) return Error() << NumberText(device) << ": too many devices stacked";
    const std::string node = SysfsOf(device);
    if (files.Exists(node + "/partition")) return ReadDevice(files, node + "/../dev");
    const std::string slaves_folder = node + "/slaves/";
    Result<std::vector<std::string>> slaves = files.List(slaves_folder);
    if (!slaves.ok() || slaves->empty()) return device;
    std::optional<dev_t> disk;
    for (const std::string& slave : *slaves) {
        const std::string folder = slaves_folder + slave;
        dev_t below = TRY(ReadDevice(files, folder + "/dev"));
        below = TRY(DiskBelow(files, below, depth + 1));
        if (disk.value_or(below) != below) {
            return Error() << NumberText(device) << " stands on several disks";
        }
        disk = below;
    }
    return *disk;
}

// First kernel whose device mapper honours queue/iostats. Earlier ones show 0 there and count
// nevertheless (commit 526d10061bc2).
constexpr KernelVersion kFirstDmWithIostats{6, 5};

bool IsUncounted(const FileReader& files, dev_t device, std::optional<KernelVersion> kernel) {
    const std::string node = SysfsOf(device);
    const bool always_counts = files.Exists(node + "/dm") &&
                               kernel.value_or(kFirstDmWithIostats) < kFirstDmWithIostats;
    return !always_counts && ReadCount(files, node + "/queue/iostats") == 0U;
}

}  // namespace

Result<void> CheckDeviceExists(const FileReader& files, dev_t device) {
    // Major 0 marks a file system without a device of its own.
    if (major(device) == 0) return {};
    const Result<std::vector<std::string>> devices = files.List("/sys/dev/block");
    if (!devices.ok()) return {};
    if (std::binary_search(devices->begin(), devices->end(), NumberText(device))) return {};
    return Error(ENODEV) << "the kernel has removed its block device " << NumberText(device)
                         << " (reboot, or mount it again)";
}

std::string NumberText(dev_t device) {
    return std::to_string(major(device)) + ":" + std::to_string(minor(device));
}

std::string SysfsOf(dev_t device) {
    return "/sys/dev/block/" + NumberText(device);
}

Result<dev_t> ParseDevice(const std::string& text) {
    std::vector<std::string> numbers = android::base::Split(text, ":");
    unsigned int major_number = 0;
    unsigned int minor_number = 0;
    if (numbers.size() != 2 || !ParseUint(numbers[0], &major_number) ||
        !ParseUint(numbers[1], &minor_number)) {
        return Error() << "'" << text << "' is not major:minor";
    }
    return makedev(major_number, minor_number);
}

Result<dev_t> DiskOf(const FileReader& files, dev_t device) {
    return DiskBelow(files, device, 0);
}

std::optional<uint64_t> QueueLimit(const FileReader& files, dev_t device, const std::string& name) {
    const std::string node = SysfsOf(device);
    for (const std::string& queue : {node + "/queue/", node + "/../queue/"}) {
        if (const auto value = ReadCount(files, queue + name); value.has_value()) return value;
    }
    return std::nullopt;
}

std::optional<bool> TakesDiscards(const FileReader& files, const std::vector<dev_t>& devices) {
    std::optional<bool> takes = false;
    for (const dev_t device : devices) {
        const std::optional<uint64_t> most = QueueLimit(files, device, "discard_max_bytes");
        if (most.value_or(0) != 0) return true;
        if (!most.has_value()) takes.reset();
    }
    return takes;
}

std::string WhyNotCounted(const FileReader& files, const std::vector<dev_t>& devices,
                          std::optional<KernelVersion> kernel) {
    for (const dev_t device : devices) {
        for (const dev_t one : {device, DiskOf(files, device).value_or(device)}) {
            if (!IsUncounted(files, one, kernel)) continue;
            return "not counted: queue/iostats is 0 on " +
                   NameOf(files, one).value_or(NumberText(one));
        }
    }
    return "";
}

std::string WhyWritesNotCounted(const FileReader& files, const std::vector<dev_t>& devices) {
    std::string why = WhyNotCounted(files, devices);
    if (!why.empty() || devices.empty()) return why;
    const Result<DiskStats> stats = ReadDiskStats(files, devices);
    if (!stats.ok() || stats->discards.has_value()) return "";
    return "not counted: the kernel counts discards as writes (before Linux 4.18)";
}

Result<std::string> NameOf(const FileReader& files, dev_t device) {
    const std::string path = SysfsOf(device) + "/uevent";
    const std::string uevent = TRY(files.ReadTable(path));
    for (const std::string& line : android::base::Split(uevent, "\n")) {
        std::string_view name = line;
        if (android::base::ConsumePrefix(&name, "DEVNAME=") && !name.empty() &&
            name.find('/') == std::string_view::npos) {
            return std::string(name);
        }
    }
    return Error() << path << ": names no device";
}

std::optional<bool> VolatileCacheOf(const FileReader& files, dev_t disk) {
    const Result<std::string> cache = files.ReadAttribute(SysfsOf(disk) + "/queue/write_cache");
    if (!cache.ok()) return std::nullopt;
    if (*cache == "write through") return false;
    const Result<std::string> name = NameOf(files, disk);
    if (*cache != "write back" || !name.ok() || name->starts_with("mmcblk")) return std::nullopt;
    return true;
}

std::optional<uint64_t> BytesOf(const FileReader& files, dev_t device) {
    const std::optional<uint64_t> sectors = ReadCount(files, SysfsOf(device) + "/size");
    if (!sectors.has_value() || *sectors > UINT64_MAX / kSectorBytes) return std::nullopt;
    return *sectors * kSectorBytes;
}

}  // namespace storekeeper
