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

// Attributes the bytes that reached the file system's device to `writers`, in their order;
// docs/writers.md has the method. `filesystem_bytes` is the amount written to the device in the
// same time, and the sum of the result except for rounding. If it is absent or 0, each writer gets
// its own bytes. `bytes_per_fsync` is BytesPerFsync() of the file system.
//
// Device writes beyond the writers' own bytes are journal, metadata and garbage collection. Of this
// excess each fsync gets `bytes_per_fsync`, as long as it lasts. The rest is shared in proportion
// to bytes written. If the device was written less, because pages were overwritten in the cache,
// the whole amount is shared in this proportion.
std::vector<uint64_t> AttributeBytes(const std::vector<UidIo>& writers,
                                     std::optional<uint64_t> filesystem_bytes,
                                     uint64_t bytes_per_fsync);

// Bytes that an fsync writes without being counted for the uid, by file system type of mountinfo.
// ext4 commits its journal, which a kernel thread writes. The node that f2fs writes is a page that
// the kernel counts for the uid that dirties it.
uint64_t BytesPerFsync(std::string_view filesystem);

// Thresholds of an fsync storm; a uid must exceed both. One fsync per 4 pages: the kernel counts
// whole pages, and an fsync that changes a single one is a page, or two on f2fs. 10,000 fsyncs a
// day: on ext4 they make 200 MiB of journal. `page_bytes`: of the kernel.
inline constexpr uint64_t kStormPagesPerFsync = 4;
inline constexpr uint64_t kStormFsyncsPerDay = 10'000;
bool IsFsyncStorm(uint64_t fsyncs_per_day, uint64_t bytes_per_day, uint64_t page_bytes);

// One uid's writes and their cost in chip life.
struct UidCost {
    uint32_t uid = 0;
    UidKind kind = UidKind::kSystem;
    // Name from the package service; dumps show it on request.
    std::optional<std::string> name;
    uint64_t bytes_per_day = 0;         // written by the uid itself: /proc/uid_io/stats
    uint64_t device_bytes_per_day = 0;  // the uid's share of device writes, AttributeBytes()
    uint64_t fsyncs_per_day = 0;
    bool fsync_storm = false;
    // Cost of device_bytes_per_day; absent if the chip's endurance is unknown.
    std::optional<double> life_pct_per_year;

    bool operator==(const UidCost&) const = default;
};

// Costs of the writes of `days` days, without UidRow::kOthers. `bytes_per_step` is the number of
// bytes that the file system writes per 10 % of life, if known. Returns the `most` uids with the
// most bytes on the device, largest first.
std::vector<UidCost> CostOfUids(std::span<const UidRow> totals, int64_t days,
                                std::optional<uint64_t> bytes_per_step, size_t most);

}  // namespace storekeeper
