// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_reader.h"

namespace storekeeper {

inline constexpr char kDiskstatsPath[] = "/proc/diskstats";

// Unit of /proc/diskstats, regardless of the device's own sector size.
inline constexpr uint64_t kSectorBytes = 512;

// One line of /proc/diskstats (Documentation/admin-guide/iostats.rst): counters since boot and
// requests in flight, at the kernel's resolution. Times of requests run from queueing to completion
// and add up. Counters wrap: times at 2^32 ms (the kernel prints an unsigned int), the others at
// 2^32 on 32-bit kernels (an unsigned long).
struct DiskStats {
    dev_t device = 0;
    std::string name;
    uint64_t reads = 0;                   // field 1: completed
    uint64_t read_bytes = 0;              // field 3
    std::chrono::milliseconds reading{};  // field 4
    uint64_t writes = 0;                  // field 5
    uint64_t written_bytes = 0;           // field 7
    std::chrono::milliseconds writing{};  // field 8
    uint64_t in_flight = 0;               // field 9: requests of any kind, at this moment
    std::chrono::milliseconds busy{};     // field 10: time with any request in flight
    // Absent before Linux 4.18: such kernels count discards as writes, in fields 5 to 8.
    std::optional<uint64_t> discards;                     // field 12: completed
    std::optional<uint64_t> discarded_bytes;              // field 14
    std::optional<std::chrono::milliseconds> discarding;  // field 15
    // Kernels before 5.5 do not count flushes; partitions never have these fields.
    std::optional<uint64_t> flushes;                    // field 16: completed
    std::optional<std::chrono::milliseconds> flushing;  // field 17
};

// Parses all lines; a malformed line is an error.
android::base::Result<std::vector<DiskStats>> ParseDiskstats(std::string_view diskstats);

// Finds the line of one device and ignores malformed lines of others. The error names the missing
// device or field.
android::base::Result<DiskStats> FindDiskStats(std::string_view diskstats, dev_t device);

// Sums the counters of one or more devices, under the name of the first. A statistic that one of
// the devices lacks is absent. `busy` is a sum as well, so it may exceed the elapsed time.
android::base::Result<DiskStats> SumDiskStats(std::string_view diskstats,
                                              const std::vector<dev_t>& devices);

// SumDiskStats() of the current /proc/diskstats.
android::base::Result<DiskStats> ReadDiskStats(const FileReader& files,
                                               const std::vector<dev_t>& devices);

}  // namespace storekeeper
