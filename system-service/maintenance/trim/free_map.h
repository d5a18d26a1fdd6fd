// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <linux/fsmap.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace storekeeper {

// A range of FITRIM (struct fstrim_range of linux/fs.h), in bytes of the file system.
struct TrimRange {
    uint64_t start = 0;
    uint64_t length = 0;
    // Shorter free extents are passed over. The kernel passes over those below the discard
    // granularity whatever this is.
    uint64_t min_bytes = 0;
};

// A part of a block group that one FITRIM is for: it begins and ends with a free extent.
struct FreePiece {
    uint64_t start = 0;
    uint64_t length = 0;
    uint64_t bytes = 0;  // that a FITRIM of it discards
    uint64_t extents = 0;

    bool operator==(const FreePiece&) const = default;
};

// What is free in a range of a file system.
struct FreeMap {
    uint64_t bytes = 0;    // also in extents that no FITRIM discards
    uint64_t longest = 0;  // extent, in bytes
    // Extents of at least TrimRange::min_bytes: each alone, or some short ones together. By
    // address.
    std::vector<FreePiece> pieces;

    bool operator==(const FreeMap&) const = default;
};

// More pieces than this no map has.
inline constexpr size_t kMaxPieces = 2048;

// Makes a map of the records of FS_IOC_GETFSMAP (linux/fsmap.h), which come by address and in
// parts.
class FreeMapMaker {
  public:
    explicit FreeMapMaker(const TrimRange& range) : range_(range) {}

    void Add(const fsmap& record);
    // E2BIG: there are too many pieces.
    android::base::Result<FreeMap> Done();

  private:
    const TrimRange range_;
    FreeMap map_;
    bool is_full_ = false;
};

// Asks the file system that `mount` is on. ext4 answers from Linux 4.13 on, with the code ENOTTY or
// EOPNOTSUPP those that cannot.
android::base::Result<FreeMap> ReadFreeMap(int mount, const TrimRange& range);

}  // namespace storekeeper
