// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/cursor.h"

#include <android-base/stringprintf.h>

#include <vector>

#include "base/json_fields.h"

namespace storekeeper {
namespace {

struct Cursor {
    std::string filesystem;  // CursorKey()
    uint64_t position = 0;
    WallTime saved{};
};

void Fields(JsonFields& json, Cursor& cursor) {
    json("filesystem", cursor.filesystem);
    json("position_bytes", cursor.position);
    json("saved_wall_s", cursor.saved);
}

// The record `cursors`.
void Fields(JsonFields& json, std::vector<Cursor>& cursors) {
    json("cursors", cursors);
}

std::vector<Cursor> Stored(const RecordFile& records) {
    return ParseFields<std::vector<Cursor>>(records.Last(RecordKind::kCursors))
            .value_or(std::vector<Cursor>());
}

}  // namespace

std::string CursorKey(uint64_t fsid, uint64_t size_bytes) {
    return android::base::StringPrintf("%llx-%llu", static_cast<unsigned long long>(fsid),
                                       static_cast<unsigned long long>(size_bytes));
}

uint64_t FindCursor(const RecordFile& records, const std::string& key, WallTime now) {
    for (const Cursor& cursor : Stored(records)) {
        if (cursor.filesystem != key) continue;
        const WallTime age = now - cursor.saved;
        // A clock that was set back makes the age unknown.
        return age < WallTime(0) || age > kCursorLife ? 0 : cursor.position;
    }
    return 0;
}

void PutCursor(RecordFile* records, const std::string& key, uint64_t position, WallTime now) {
    std::vector<Cursor> cursors = Stored(*records);
    std::erase_if(cursors, [&](const Cursor& cursor) {
        return cursor.filesystem == key || now - cursor.saved > kCursorLife;
    });
    if (position != 0) {
        cursors.push_back({.filesystem = key, .position = position, .saved = now});
    }
    records->Put(RecordKind::kCursors, cursors.empty() ? "" : WriteFields(cursors));
}

}  // namespace storekeeper
