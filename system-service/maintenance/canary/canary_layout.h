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

// What is kept of a canary on each side of its gap, right beside it.
inline constexpr uint64_t kCanaryKeptBytes = 64 << 10;
// Of a canary, written: the kept parts and what is in the gap beside them, for a discard of what
// was never written proves nothing.
inline constexpr uint64_t kCanaryWrittenBytes = 192 << 10;
// On f2fs, whose log may go on elsewhere in the middle of a file: one piece is long enough.
inline constexpr uint64_t kF2fsCanaryWrittenBytes = 320 << 10;
// A segment of f2fs: 512 blocks of 4 KiB.
inline constexpr uint64_t kF2fsSegmentBytes = 2 << 20;
// Of all canaries of one chip, however often one was lost.
inline constexpr uint64_t kCanaryBudgetBytes = 1 << 20;

// A canary before it is written.
struct CanaryPlan {
    uint64_t gap_bytes = 0;
    // Shorter gaps are not discarded; ext4 passes over what is shorter than the granularity.
    uint64_t min_gap_bytes = 0;
    // The file system gives a file its blocks before they are written.
    bool reserve = false;
    uint64_t most_written_bytes = kCanaryWrittenBytes;
    // The file system writes it into a log that others hardly use: what is written piece by piece
    // stands side by side nevertheless.
    bool own_log = false;

    uint64_t size() const { return gap_bytes + 2 * kCanaryKeptBytes; }
    // Of a long gap the middle is not written.
    bool is_written_whole() const { return size() <= most_written_bytes; }
    uint64_t written_bytes() const { return is_written_whole() ? size() : most_written_bytes; }
    // Bytes at each end of the file that are written; at most half of it.
    uint64_t written_at_each_end() const { return written_bytes() / 2; }
};

// The smallest canary whose gap this file system discards on a device of this granularity (bytes; 0
// is unknown). `written_before`: bytes of earlier canaries of this chip, which were lost. The error
// says why there is none.
android::base::Result<CanaryPlan> PlanCanary(const std::string& filesystem, uint64_t granularity,
                                             uint64_t written_before);

// Where its gap goes, in a file that lies in `extents`: between two kept parts that stand right
// beside it on the device. Absent where no piece of the file is long enough.
std::optional<CanaryGap> PlaceGap(const CanaryPlan& plan, std::vector<FileExtent> extents);

// Whether all of these bytes of the file lie where they lay when the gap was placed.
bool LieBesideGap(const CanaryGap& gap, const std::vector<FileExtent>& extents, uint64_t offset,
                  uint64_t length);

}  // namespace storekeeper
