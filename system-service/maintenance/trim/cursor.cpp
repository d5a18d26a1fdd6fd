// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/cursor.h"

#include <android-base/stringprintf.h>

#include <vector>

#include "base/json_fields.h"

namespace storekeeper {
namespace {

struct Cursor {
    std::string filesystem;  // FilesystemKey::Text()
    uint64_t position = 0;
    WallTime saved{};
};

void Fields(JsonFields& json, Cursor& cursor) {
    json("filesystem", cursor.filesystem);
    json("position_bytes", cursor.position);
    json("saved_wall_s", cursor.saved);
}

// The record `cursors`.
struct Cursors {
    std::vector<Cursor> cursors;
};

void Fields(JsonFields& json, Cursors& cursors) {
    json("cursors", cursors.cursors);
}

std::vector<Cursor> Stored(const RecordFile& records) {
    const auto stored = ParseFields<Cursors>(records.Last(RecordKind::kCursors));
    return stored.ok() ? stored->cursors : std::vector<Cursor>();
}

}  // namespace

std::string FilesystemKey::Text() const {
    return android::base::StringPrintf("%llx-%llu", static_cast<unsigned long long>(fsid),
                                       static_cast<unsigned long long>(size_bytes));
}

uint64_t FindCursor(const RecordFile& records, const FilesystemKey& key, WallTime now) {
    for (const Cursor& cursor : Stored(records)) {
        if (cursor.filesystem != key.Text()) continue;
        const WallTime age = now - cursor.saved;
        // A clock that was set back makes the age unknown.
        return age < WallTime(0) || age > kCursorLife ? 0 : cursor.position;
    }
    return 0;
}

void PutCursor(RecordFile* records, const FilesystemKey& key, uint64_t position, WallTime now) {
    std::vector<Cursor> cursors = Stored(*records);
    std::erase_if(cursors, [&](const Cursor& cursor) {
        return cursor.filesystem == key.Text() || now - cursor.saved > kCursorLife;
    });
    if (position != 0) {
        cursors.push_back({.filesystem = key.Text(), .position = position, .saved = now});
    }
    records->Put(RecordKind::kCursors, cursors.empty() ? "" : WriteFields(Cursors{cursors}));
}

}  // namespace storekeeper
