// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "history/snapshot.h"
#include "latency/uid_io.h"
#include "writers/uid_name.h"

namespace storekeeper {

// What reached the file system's device for each of these, in their order, bytes; docs/writers.md
// has the method. `filesystem_bytes` is what the device was written in the same time: the sum of
// what is returned, but for some bytes each. Without it, or where it is 0, each has what it wrote.
// `bytes_per_fsync`: BytesPerFsync() of the file system.
//
// What the device was written beyond what they wrote is journal, metadata and garbage collection.
// Of that the fsyncs have so much each, as long as there is enough, and the rest is shared by bytes
// written. A device that was written less, for pages that were written again before they reached
// it, is shared by bytes written.
std::vector<uint64_t> AttributeBytes(const std::vector<UidIo>& writers,
                                     std::optional<uint64_t> filesystem_bytes,
                                     uint64_t bytes_per_fsync);

// What an fsync writes beside what the uid is counted for, bytes, by the type in mountinfo. ext4
// commits its journal, which a thread of the kernel writes; the node that f2fs writes is a page
// that the kernel counts to who dirties it.
uint64_t BytesPerFsync(std::string_view filesystem);

// From here on a uid is a storm of fsyncs: more than one for each 16 KiB that it writes, where one
// that changes nothing but a page is 4 KiB, or 8 KiB on f2fs; and so many that the journal of ext4
// has 200 MiB a day of them.
inline constexpr uint64_t kStormFsyncsPerMib = 64;
inline constexpr uint64_t kStormFsyncsPerDay = 10'000;
bool IsFsyncStorm(uint64_t fsyncs_per_day, uint64_t bytes_per_day);

// Who writes how much, and what that costs of the chip's life.
struct UidCost {
    uint32_t uid = 0;
    UidKind kind = UidKind::kSystem;
    // As the package service has it; dumps show it to who asks for it.
    std::optional<std::string> name;
    uint64_t bytes_per_day = 0;         // by the uid itself: /proc/uid_io/stats
    uint64_t device_bytes_per_day = 0;  // of that on the device: AttributeBytes()
    uint64_t fsyncs_per_day = 0;
    bool fsync_storm = false;
    // Of device_bytes_per_day; absent while it is not known what the chip bears.
    std::optional<double> life_pct_per_year;

    bool operator==(const UidCost&) const = default;
};

// Of what was written in these days; none for UidRow::kOthers. `bytes_per_step`: written by the
// file system for each 10 % of life, when that is known. The `most` with the most bytes on the
// device, these first.
std::vector<UidCost> CostOfUids(std::span<const UidTotal> totals, int64_t days,
                                std::optional<uint64_t> bytes_per_step, size_t most);

}  // namespace storekeeper
