// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/cursor.h"

#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <vector>

#include "base/tokens.h"

namespace storekeeper {
namespace {

struct Cursor {
    std::string key;
    uint64_t position = 0;
    WallTime saved{};
};

// Parses entries "key position seconds", separated by tabs.
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

std::string FilesystemKey::Text() const {
    return android::base::StringPrintf("%llx-%llu", static_cast<unsigned long long>(fsid),
                                       static_cast<unsigned long long>(size_bytes));
}

uint64_t FindCursor(const RecordFile& records, const FilesystemKey& key, WallTime now) {
    for (const Cursor& cursor : Cursors(records)) {
        if (cursor.key != key.Text()) continue;
        const WallTime age = now - cursor.saved;
        // A clock that was set back makes the age unknown.
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
