// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/free_map.h"

#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;

// Shorter extents share a FITRIM, so many at most: a discard of one takes no longer than the call.
constexpr uint64_t kShortBytes = 64 << 10;
constexpr uint64_t kShortExtents = 16;

// Records that one ioctl reports.
constexpr size_t kRecords = 512;

bool IsShort(const FreePiece& piece) {
    return piece.bytes < kShortBytes * piece.extents;
}

}  // namespace

void FreeMapMaker::Add(const fsmap& record) {
    if (record.fmr_owner != FMR_OWN_FREE) return;
    // An extent that goes on in the next group is reported with it.
    const uint64_t begin = std::max<uint64_t>(record.fmr_physical, range_.start);
    const uint64_t range_end = range_.start + range_.length;
    if (record.fmr_physical >= range_end) return;
    const uint64_t length_left = range_end - record.fmr_physical;
    const uint64_t end = record.fmr_physical + std::min<uint64_t>(record.fmr_length, length_left);
    if (end <= begin) return;
    const uint64_t length = end - begin;
    map_.bytes += length;
    map_.longest = std::max(map_.longest, length);
    if (length < range_.min_bytes) return;
    if (!map_.pieces.empty() && length < kShortBytes) {
        FreePiece& last = map_.pieces.back();
        if (IsShort(last) && last.extents < kShortExtents) {
            last.length = end - last.start;
            last.bytes += length;
            ++last.extents;
            return;
        }
    }
    if (map_.pieces.size() == kMaxPieces) {
        is_full_ = true;
        return;
    }
    map_.pieces.push_back({.start = begin, .length = length, .bytes = length, .extents = 1});
}

Result<FreeMap> FreeMapMaker::Done() {
    if (is_full_) return Error(E2BIG) << "more than " << kMaxPieces << " free pieces";
    return std::move(map_);
}

Result<FreeMap> ReadFreeMap(int mount, const TrimRange& range) {
    struct stat stat = {};
    if (fstat(mount, &stat) != 0) return ErrnoError() << "fstat";
    std::vector<char> memory(sizeof(fsmap_head) + kRecords * sizeof(fsmap));
    auto* head = reinterpret_cast<fsmap_head*>(memory.data());
    head->fmh_count = kRecords;
    // The device as linux/kdev_t.h encodes it (new_encode_dev), which is what the C library's
    // dev_t has in its lower half.
    const auto device = static_cast<uint32_t>(stat.st_dev);
    head->fmh_keys[0].fmr_device = device;
    head->fmh_keys[0].fmr_physical = range.start;
    head->fmh_keys[1].fmr_device = device;
    head->fmh_keys[1].fmr_flags = std::numeric_limits<uint32_t>::max();
    head->fmh_keys[1].fmr_physical = range.start + range.length - 1;
    head->fmh_keys[1].fmr_owner = std::numeric_limits<uint64_t>::max();
    head->fmh_keys[1].fmr_offset = std::numeric_limits<uint64_t>::max();
    FreeMapMaker maker(range);
    do {
        if (ioctl(mount, FS_IOC_GETFSMAP, head) != 0) return ErrnoError() << "FS_IOC_GETFSMAP";
        for (uint32_t i = 0; i < std::min<uint32_t>(head->fmh_entries, kRecords); ++i) {
            maker.Add(head->fmh_recs[i]);
        }
        if (head->fmh_entries < kRecords) break;
        head->fmh_keys[0] = head->fmh_recs[kRecords - 1];
    } while ((head->fmh_keys[0].fmr_flags & FMR_OF_LAST) == 0);
    return maker.Done();
}

}  // namespace storekeeper
