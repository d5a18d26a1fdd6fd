// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <string_view>

namespace storekeeper {

// Replaces a file so that a power cut leaves the old or the new content, never a mixture: a second
// file beside it, `path`.new, is written and synced, the two change places, then the directory is
// synced. No block is freed thereby: ext4 forgets that a block group is trimmed with the first
// block freed in it, and would discard all of the group again.
android::base::Result<void> ReplaceFile(const std::string& path, std::string_view content);

// Appends to a file, which it creates where need be, and syncs it. A power cut leaves all, a part
// or nothing of it.
android::base::Result<void> AppendToFile(const std::string& path, std::string_view content);

// The whole lines of a file that AppendToFile() has written: a torn last one is left out. No file
// is an empty text.
android::base::Result<std::string> ReadWholeLines(const std::string& path);

// Renames `path` to `path`.corrupt, replacing an earlier one; returns the new name.
android::base::Result<std::string> SetFileAside(const std::string& path);

}  // namespace storekeeper
