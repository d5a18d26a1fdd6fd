// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/diskstats.h"
#include "bench/system/clock_set.h"
#include "bench/system/cpu_limits.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

// For texts and JSON.
inline double Milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

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

// What does not change while a benchmark runs.
struct BenchPlace {
    Mount mount;
    std::string disk;  // the kernel's name, "mmcblk0"; "" when there is none below the file system
    std::string no_disk;                 // why no disk is watched; "" when one is
    std::optional<bool> volatile_cache;  // VolatileCacheOf() its disk
    // From when fio is started until it has ended, beyond the time that it counts.
    std::chrono::nanoseconds overhead{};
};

// What a job says that it did.
struct Claim {
    uint64_t read_bytes = 0;
    uint64_t written_bytes = 0;
    uint64_t writes = 0;  // requests, or files
    uint64_t syncs = 0;
    std::chrono::nanoseconds time{};
    bool direct = false;        // past the page cache
    bool compressible = false;  // its data is not random
};

}  // namespace storekeeper
