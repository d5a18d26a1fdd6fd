// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/device_hal.h"

#include <algorithm>
#include <cctype>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kInvalid[] = "the health HAL returned an invalid value: ";
// A device has one to four; these bounds only guard against a broken HAL.
constexpr size_t kMaxStorages = 16;
constexpr size_t kMaxDisks = 64;
// Ranges of android.hardware.health.StorageInfo, taken from JESD84-B51.
constexpr int32_t kMaxEol = 3;
constexpr int32_t kMaxLifetime = 0x0b;
constexpr size_t kLongestVersion = 64;

}  // namespace

Result<HalStorageInfo> CheckedStorage(const std::vector<HalStorageInfo>& answer) {
    if (answer.empty()) return Error() << kInvalid << "no storage";
    if (answer.size() > kMaxStorages) {
        return Error() << kInvalid << answer.size() << " storages";
    }
    HalStorageInfo info = answer.front();
    if (info.eol < 0 || info.eol > kMaxEol) return Error() << kInvalid << "eol " << info.eol;
    for (int32_t lifetime : {info.lifetime_a, info.lifetime_b}) {
        if (lifetime < 0 || lifetime > kMaxLifetime) {
            return Error() << kInvalid << "lifetime " << lifetime;
        }
    }
    // A version that is too long or unprintable is dropped.
    bool printable = std::all_of(info.version.begin(), info.version.end(),
                                 [](unsigned char c) { return std::isprint(c) != 0; });
    if (!printable || info.version.size() > kLongestVersion) info.version.clear();
    return info;
}

Result<DiskStats> CheckedDisk(const std::vector<HalDiskStats>& answer) {
    if (answer.empty() || answer.size() > kMaxDisks) {
        return Error() << kInvalid << answer.size() << " disks";
    }
    const HalDiskStats& disk = answer.front();
    for (int64_t count : {disk.reads, disk.read_merges, disk.read_sectors, disk.read_ticks,
                          disk.writes, disk.write_merges, disk.write_sectors, disk.write_ticks,
                          disk.io_in_flight, disk.io_ticks, disk.io_in_queue}) {
        if (count < 0) return Error() << kInvalid << "a count of " << count;
    }
    return DiskStats{.name = "the HAL's",
                     .reads = static_cast<uint64_t>(disk.reads),
                     .read_bytes = static_cast<uint64_t>(disk.read_sectors) * kSectorBytes,
                     .reading = std::chrono::milliseconds(disk.read_ticks),
                     .writes = static_cast<uint64_t>(disk.writes),
                     .written_bytes = static_cast<uint64_t>(disk.write_sectors) * kSectorBytes,
                     .writing = std::chrono::milliseconds(disk.write_ticks),
                     .in_flight = static_cast<uint64_t>(disk.io_in_flight),
                     .busy = std::chrono::milliseconds(disk.io_ticks)};
}

Result<HalBattery> CheckedBattery(const HalBattery& answer) {
    if (!answer.present) return answer;
    if (answer.level < 0 || answer.level > 100) {
        return Error() << kInvalid << "a battery level of " << answer.level;
    }
    return answer;
}

}  // namespace storekeeper
