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

// The device at a moment, as the kernel has it.
struct DeviceState {
    ClockSet clocks;
    std::optional<DiskStats> disk;  // of the whole disk
    std::optional<CpuTime> cpu;
    CpuLimits limits;
    std::optional<int> zone_tenths;     // the hottest zone, 0.1 degree Celsius
    std::optional<int> battery_tenths;  // 0.1 degree Celsius
    std::optional<bool> charging;
    std::optional<uint64_t> free_bytes;  // of the file system, for everybody
    std::optional<uint64_t> size_bytes;
    // Blocks that f2fs has moved while it collected garbage in the background
    // (moved_blocks_background of Documentation/ABI/testing/sysfs-fs-f2fs, from Linux 5.9 on, where
    // it keeps statistics).
    std::optional<uint64_t> f2fs_moved_blocks;
};

// What the disk did between the two: read_bytes, written_bytes, discarded_bytes, busy and flushes.
// Absent where a state has no disk or a counter went back.
std::optional<DiskStats> DiskBetween(const DeviceState& before, const DeviceState& after);

// What does not change while a benchmark runs.
struct BenchPlace {
    Mount mount;
    std::string disk;  // the kernel's name, "mmcblk0"; "" when there is none below the file system
    std::string no_disk;                 // why no disk is watched; "" when one is
    std::optional<bool> volatile_cache;  // VolatileCacheOf() its disk
    // From when fio is started until it has ended, beyond the time that it counts.
    std::chrono::nanoseconds overhead{};
};

// For everybody, not for root alone.
android::base::Result<uint64_t> FreeBytes(Syscalls& syscalls, const std::string& folder);

// What the kernel says of the place that is measured.
class DeviceReader {
  public:
    // `folder` is a path without links. An error says what of it could not be found out.
    static android::base::Result<DeviceReader> Of(const FileReader& files, Syscalls& syscalls,
                                                  const std::string& folder);

    const BenchPlace& place() const { return place_; }
    // What cannot be read is absent. The clocks come last, or, `clocks_first`, first: so that the
    // time between two readings has nothing of the readings in it.
    DeviceState Read(bool clocks_first) const;

  private:
    DeviceReader(const FileReader& files, Syscalls& syscalls, std::string folder)
          : files_(files), syscalls_(syscalls), folder_(std::move(folder)) {}

    // The disk below the folder and what is known of it. An error says why it cannot be watched.
    android::base::Result<void> FindDisk(const MountTable& table);

    const FileReader& files_;
    Syscalls& syscalls_;
    const std::string folder_;
    BenchPlace place_;
    std::optional<dev_t> disk_;
    std::string f2fs_;  // its folder in sysfs; "" when it is none
};

}  // namespace storekeeper
