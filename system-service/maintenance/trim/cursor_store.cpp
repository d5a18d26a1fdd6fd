// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/cursor_store.h"

#include <android-base/logging.h>
#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>
#include <errno.h>

#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/state_file.h"
#include "base/tokens.h"

namespace storekeeper {

using android::base::ParseInt;
using android::base::ParseUint;
using android::base::Result;

std::string FilesystemKey::Text() const {
    return android::base::StringPrintf("%llx-%llu", static_cast<unsigned long long>(fsid),
                                       static_cast<unsigned long long>(size_bytes));
}

// One line each: key, position in bytes, seconds since the epoch. ReplaceFile() keeps lines whole.
CursorStore::CursorStore(std::string path) : path_(std::move(path)) {
    Result<std::string> text = ReadStateFile(path_);
    if (!text.ok()) {
        if (text.error().code() == ENOENT) return;
        LOG(WARNING) << "Passes that were stopped start over: " << text.error().message()
                     << (IsUnusable(text.error()) ? MakeRoom(path_) : "");
        return;
    }
    MutexLock guard(lock_);
    for (const std::string& line : android::base::Split(*text, "\n")) {
        const std::vector<std::string> words = Tokenize(line, " ");
        Cursor cursor;
        int64_t saved = 0;
        if (words.size() == 3 && ParseUint(words[1], &cursor.position) &&
            ParseInt(words[2], &saved, int64_t{0})) {
            cursor.saved = WallTime(saved);
            cursors_[words[0]] = cursor;
        }
    }
}

uint64_t CursorStore::Find(const FilesystemKey& key, WallTime now) const {
    MutexLock guard(lock_);
    auto cursor = cursors_.find(key.Text());
    if (cursor == cursors_.end()) return 0;
    const WallTime age = now - cursor->second.saved;
    // A clock that went back does not show the age.
    return age < WallTime(0) || age > kLife ? 0 : cursor->second.position;
}

Result<void> CursorStore::Save(const FilesystemKey& key, uint64_t position, WallTime now) {
    MutexLock guard(lock_);
    cursors_[key.Text()] = {.position = position, .saved = now};
    return Write();
}

Result<void> CursorStore::Forget(const FilesystemKey& key) {
    MutexLock guard(lock_);
    if (cursors_.erase(key.Text()) == 0) return {};
    return Write();
}

Result<void> CursorStore::Write() const {
    std::string text;
    for (const auto& [key, cursor] : cursors_) {
        text += key + " " + std::to_string(cursor.position) + " " +
                std::to_string(cursor.saved.count()) + "\n";
    }
    return ReplaceFile(path_, text.empty() ? "\n" : text);
}

}  // namespace storekeeper
