// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace storekeeper {

// Bytes ever discarded on a block device, from the text of /proc/diskstats. An error for a device
// without a line and for kernels before 4.18, which do not count discards.
android::base::Result<uint64_t> DiscardedBytes(std::string_view diskstats, dev_t device);

// What a device has done since boot, discards and flushes aside, and what it is doing.
struct DiskActivity {
    uint64_t reads = 0;                   // completed
    std::chrono::milliseconds reading{};  // all reads together, each from queueing to completion
    uint64_t writes = 0;
    std::chrono::milliseconds writing{};
    uint64_t written_bytes = 0;
    uint64_t in_flight = 0;            // requests at this moment, of any kind
    std::chrono::milliseconds busy{};  // time with any request in flight
};

// From the text of /proc/diskstats, with the resolution the kernel has there: milliseconds.
android::base::Result<DiskActivity> ActivityOf(std::string_view diskstats, dev_t device);

}  // namespace storekeeper
