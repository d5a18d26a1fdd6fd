// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/diskstats.h"
#include "base/file_reader.h"
#include "base/syscalls.h"
#include "bench/system/machine_state.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

// The device at one moment, as the kernel reports it.
struct DeviceState {
    ClockSet clocks;
    std::optional<DiskStats> disk;  // counters of the whole disk
    std::optional<CpuTime> cpu;
    CpuLimits limits;
    std::optional<int> zone_tenths;     // the hottest zone, 0.1 degree Celsius
    std::optional<int> battery_tenths;  // 0.1 degree Celsius
    std::optional<bool> charging;
    std::optional<uint64_t> free_bytes;  // free for all users on the file system
    std::optional<uint64_t> size_bytes;
    // Blocks that f2fs has moved in background garbage collection (moved_blocks_background of
    // Documentation/ABI/testing/sysfs-fs-f2fs; from Linux 5.9 on, if f2fs keeps statistics).
    std::optional<uint64_t> f2fs_moved_blocks;
};

// Activity of the disk between two states: read_bytes, written_bytes, discarded_bytes, busy and
// flushes. Absent if a state has no disk or a counter went back.
std::optional<DiskStats> DiskBetween(const DeviceState& before, const DeviceState& after);

// Properties that stay constant during a benchmark.
struct BenchPlace {
    Mount mount;
    std::string disk;     // the kernel's name, "mmcblk0"; "" if no disk is below the file system
    std::string no_disk;  // why no disk is watched; "" if one is
    std::optional<bool> volatile_cache;  // VolatileCacheOf() the disk
    // Time between the start and the end of fio beyond the time that fio counts.
    std::chrono::nanoseconds overhead{};
};

// Bytes that are free for all users, not for root alone.
android::base::Result<uint64_t> FreeBytes(Syscalls& syscalls, const std::string& folder);

// Reads the kernel's reports about the measured place.
class DeviceReader {
  public:
    // `folder` must be a path without links. An error says which fact could not be found.
    static android::base::Result<DeviceReader> ForFolder(const FileReader& files,
                                                         Syscalls& syscalls,
                                                         const std::string& folder);

    const BenchPlace& place() const { return place_; }
    // Facts that cannot be read are absent. The clocks are read last, or first with `clocks_first`,
    // so that the time between two readings does not include the readings.
    DeviceState Read(bool clocks_first) const;

  private:
    DeviceReader(const FileReader& files, Syscalls& syscalls, std::string folder)
          : files_(files), syscalls_(syscalls), folder_(std::move(folder)) {}

    // Finds the disk below the folder and its properties. An error says why it cannot be watched.
    android::base::Result<void> FindDisk(const MountTable& table);

    const FileReader& files_;
    Syscalls& syscalls_;
    const std::string folder_;
    BenchPlace place_;
    std::optional<dev_t> disk_;
    std::string f2fs_;  // its folder in sysfs; "" if the file system is not f2fs
};

}  // namespace storekeeper
