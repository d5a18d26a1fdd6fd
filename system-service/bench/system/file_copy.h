// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>

namespace storekeeper {

// Files as a benchmark copies them. Errors keep errno as their code and name the file.

// Writes `bytes` that do not compress, and syncs them.
android::base::Result<void> WriteRandomFile(const std::string& path, uint64_t bytes, uint64_t seed);

// Has the page cache forget the file, which must be synced (posix_fadvise(2), DONTNEED).
android::base::Result<void> ForgetCached(const std::string& path);

// Copies as cp(1) does, through the page cache.
android::base::Result<void> CopyFile(const std::string& from, const std::string& to);

// syncfs(2) of the file system that holds this path.
android::base::Result<void> SyncFileSystem(const std::string& path);

}  // namespace storekeeper
