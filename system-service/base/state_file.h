// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <string>

#include "base/try.h"

namespace storekeeper {

// Longer than any file that the service writes and reads back, but for the history's.
inline constexpr size_t kMaxStateFileBytes = 64 * 1024;

// Opens a file of the service's own. What stands there may be anything: only a regular file is
// opened, no link is followed, and nothing is waited for. The error has a number where the file
// cannot be opened now (ENOENT, EIO), and none where what stands there is no regular file.
android::base::Result<android::base::unique_fd> OpenStateFile(const std::string& path, int flags);

// Reads such a file. What is longer than `max_bytes` is an error without a number.
android::base::Result<std::string> ReadStateFile(const std::string& path,
                                                 size_t max_bytes = kMaxStateFileBytes);

// What stands there is at fault: trying again later does not help.
inline bool IsUnusable(const ResultFailure& failure) {
    return failure.code() == 0;
}

// Makes room where an unusable file stands: renames it to `path`.corrupt. Returns how that went, to
// follow what was wrong with it in a message: "; it was set aside as ...".
std::string MakeRoom(const std::string& path);

// The same for a file whose content does not matter: only where something else stands there.
void MakeRoomForFile(const std::string& path);

}  // namespace storekeeper
