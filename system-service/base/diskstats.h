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

// A sector is this long whatever the device's own sectors are.
inline constexpr uint64_t kSectorBytes = 512;

// What a disk or partition has done since boot and what it is doing: a line of /proc/diskstats
// (Documentation/admin-guide/iostats.rst), with the resolution the kernel has there. Times of
// requests run from queueing to completion, and add up. Counters wrap: the times at 2^32 ms (the
// kernel prints an unsigned int), the others at 2^32 in 32-bit kernels (an unsigned long).
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
    // Absent in kernels before 4.18, which do not count discards.
    std::optional<uint64_t> discards;                     // field 12: completed
    std::optional<uint64_t> discarded_bytes;              // field 14
    std::optional<std::chrono::milliseconds> discarding;  // field 15
    // Absent in kernels before 5.5, which do not count flushes; partitions never have them.
    std::optional<uint64_t> flushes;                    // field 16: completed
    std::optional<std::chrono::milliseconds> flushing;  // field 17
};

// Every line of the text; an error if one of them is none.
android::base::Result<std::vector<DiskStats>> ParseDiskstats(std::string_view diskstats);

// The line of one device, whatever the others are. An error names what is missing.
android::base::Result<DiskStats> FindDiskStats(std::string_view diskstats, dev_t device);

// What these have done together, under the first one's name; there is one at least. What the kernel
// does not count of one of them is absent. `busy` is the sum, and so may be more than the time that
// has passed.
android::base::Result<DiskStats> SumDiskStats(std::string_view diskstats,
                                              const std::vector<dev_t>& devices);

// What the kernel counts of these now.
android::base::Result<DiskStats> ReadDiskStats(const FileReader& files,
                                               const std::vector<dev_t>& devices);

}  // namespace storekeeper
