// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace storekeeper {

// A piece of a file on its device, in bytes, as FIEMAP reports it.
struct FileExtent {
    uint64_t logical = 0;
    uint64_t physical = 0;
    uint64_t length = 0;
};

// The part of a canary that is freed and trimmed.
struct CanaryGap {
    uint64_t offset = 0;  // in the file
    uint64_t length = 0;
    uint64_t physical = 0;  // on the device of the file system

    uint64_t end() const { return offset + length; }
    bool operator==(const CanaryGap&) const = default;
};

// Bytes of a canary that are kept on each side of its gap, right beside it.
inline constexpr uint64_t kCanaryKeptBytes = 64 << 10;
// Bytes of a canary that are written: the kept parts and the ends of the gap beside them. A discard
// of blocks that were never written proves nothing.
inline constexpr uint64_t kCanaryWrittenBytes = 192 << 10;
// Bytes written on f2fs: more, because its log may continue elsewhere in the middle of a file, and
// one piece must be long enough.
inline constexpr uint64_t kF2fsCanaryWrittenBytes = 320 << 10;
// Blocks of a segment of f2fs (log_blocks_per_seg is always 9). A block is a page of the kernel: a
// segment has 2 MiB with pages of 4 KiB and 8 MiB with pages of 16 KiB.
inline constexpr uint64_t kF2fsSegmentBlocks = 512;
// Bytes written by all canaries of one chip, however often one was lost.
inline constexpr uint64_t kCanaryBudgetBytes = 1 << 20;

// A canary before it is written.
struct CanaryPlan {
    uint64_t gap_bytes = 0;
    // Shorter gaps are not discarded: ext4 skips extents below the granularity.
    uint64_t min_gap_bytes = 0;
    // The file system allocates a file's blocks before they are written.
    bool reserve = false;
    uint64_t most_written_bytes = kCanaryWrittenBytes;
    // The file system writes the canary into a log that others hardly use, so pieces written one by
    // one are contiguous nevertheless.
    bool own_log = false;

    uint64_t size() const { return gap_bytes + 2 * kCanaryKeptBytes; }
    // False for a long gap, whose middle is not written.
    bool is_written_whole() const { return size() <= most_written_bytes; }
    uint64_t written_bytes() const { return is_written_whole() ? size() : most_written_bytes; }
    // Bytes written at each end of the file; at most half of it.
    uint64_t written_at_each_end() const { return written_bytes() / 2; }
};

// The smallest canary whose gap this file system discards. `block_bytes` is the file system's block
// size, `granularity` the device's unit of discards in bytes; 0 is unknown. `written_before`: bytes
// of earlier canaries of this chip, which were lost. The error says why no canary is possible.
android::base::Result<CanaryPlan> PlanCanary(const std::string& filesystem, uint64_t block_bytes,
                                             uint64_t granularity, uint64_t written_before);

// The gap of a file with these extents: between two kept parts that are right beside it on the
// device. Absent if no piece of the file is long enough.
std::optional<CanaryGap> PlaceGap(const CanaryPlan& plan, std::vector<FileExtent> extents);

// True if all of these bytes of the file are still at their place relative to the gap on the
// device.
bool LieBesideGap(const CanaryGap& gap, const std::vector<FileExtent>& extents, uint64_t offset,
                  uint64_t length);

}  // namespace storekeeper
