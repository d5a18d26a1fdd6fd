// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/slices.h"

#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <limits>
#include <vector>

#include "base/tokens.h"
#include "maintenance/canary/canary_layout.h"

namespace storekeeper {
namespace {

// fs/ext4: the bitmap of a group is one block, a bit a block.
constexpr uint64_t kBitsPerByte = 8;
// f2fs: between a checkpoint a call (some 10 blocks written) and how long a call keeps the card.
constexpr uint64_t kF2fsSlice = 64 << 20;
// fs/f2fs: DEF_MAX_DISCARD_REQUEST, and DEFAULT_IO_TIMEOUT, which takes a tick more.
constexpr uint64_t kF2fsDiscardsToSleep = 8;
constexpr std::chrono::milliseconds kF2fsSleep(24);

struct Cursor {
    std::string key;
    uint64_t position = 0;
    WallTime saved{};
};

// Entries "key position seconds", a tab between them.
std::vector<Cursor> Cursors(const RecordFile& records) {
    std::vector<Cursor> cursors;
    for (const std::string& entry :
         android::base::Split(records.Last(RecordKind::kCursors), "\t")) {
        const std::vector<std::string> words = Tokenize(entry, " ");
        Cursor cursor;
        int64_t saved = 0;
        if (words.size() == 3 && android::base::ParseUint(words[1], &cursor.position) &&
            android::base::ParseInt(words[2], &saved, int64_t{0})) {
            cursor.key = words[0];
            cursor.saved = WallTime(saved);
            cursors.push_back(cursor);
        }
    }
    return cursors;
}

}  // namespace

uint64_t SlicePlan::EndOf(uint64_t position) const {
    if (slice_bytes == 0) return std::numeric_limits<uint64_t>::max();
    return BeginOf(position) == 0 ? lead_bytes + slice_bytes : position + slice_bytes;
}

uint64_t SlicePlan::BeginOf(uint64_t position) const {
    if (slice_bytes == 0 || position < lead_bytes + slice_bytes) return 0;
    return (position - lead_bytes) / slice_bytes * slice_bytes + lead_bytes;
}

SlicePlan PlanSlices(const Mount& mount, uint64_t block_bytes) {
    if (mount.type == "ext4") {
        return {.how = "block groups",
                .slice_bytes = kBitsPerByte * block_bytes * block_bytes,
                // With 1 KiB blocks block 0 is the boot block's and group 0 begins at block 1.
                .lead_bytes = block_bytes == 1024 ? block_bytes : 0,
                .by_group = true};
    }
    if (mount.type == "f2fs") {
        if (mount.HasOption("discard")) return {.how = "one call, discards follow", .queued = true};
        return {.how = "ranges",
                .slice_bytes = kF2fsSlice,
                .segment_bytes = kF2fsSegmentBytes,
                .discards_to_sleep = kF2fsDiscardsToSleep,
                .sleep = kF2fsSleep};
    }
    return {.how = "one call"};
}

std::string FilesystemKey::Text() const {
    return android::base::StringPrintf("%llx-%llu", static_cast<unsigned long long>(fsid),
                                       static_cast<unsigned long long>(size_bytes));
}

uint64_t FindCursor(const RecordFile& records, const FilesystemKey& key, WallTime now) {
    for (const Cursor& cursor : Cursors(records)) {
        if (cursor.key != key.Text()) continue;
        const WallTime age = now - cursor.saved;
        // A clock that went back says nothing of the age.
        return age < WallTime(0) || age > kCursorLife ? 0 : cursor.position;
    }
    return 0;
}

void PutCursor(RecordFile* records, const FilesystemKey& key, uint64_t position, WallTime now) {
    std::vector<std::string> entries;
    const auto add = [&entries](const Cursor& cursor) {
        entries.push_back(cursor.key + " " + std::to_string(cursor.position) + " " +
                          std::to_string(cursor.saved.count()));
    };
    for (const Cursor& cursor : Cursors(*records)) {
        if (cursor.key != key.Text() && now - cursor.saved <= kCursorLife) add(cursor);
    }
    if (position != 0) add({.key = key.Text(), .position = position, .saved = now});
    records->Put(RecordKind::kCursors, android::base::Join(entries, '\t'));
}

}  // namespace storekeeper
