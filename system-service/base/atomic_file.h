// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <string>
#include <string_view>

namespace storekeeper {

// Files of text lines that a power cut must not mix up, written so that no block is freed thereby:
// ext4 forgets that a block group is trimmed with the first block freed in it, and would discard
// all of the group again. A file therefore never becomes shorter; newlines fill what its lines
// leave. One that grows by more than a few blocks is reserved as a whole: on an aged file system it
// would be in many pieces, and ext4 frees the block that lists them once it can join them.

// Replaces a file so that a power cut leaves the old or the new content, never a mixture: a second
// file beside it, `path`.new, is written and synced, the two change places, then the directory is
// synced. `content`: lines, each with its newline. The file takes at least `reserve` bytes.
// `mode` is what it and its second get, whatever the umask; where somebody else has made one of
// them, it stays as that one has set it.
android::base::Result<void> ReplaceFile(const std::string& path, std::string_view content,
                                        size_t reserve = 0, mode_t mode = 0600);

// Adds lines to a file, behind its last one, and syncs it; creates it where need be. A power cut
// leaves all, a part or nothing of them; a line that one has torn stays apart.
android::base::Result<void> AppendToFile(const std::string& path, std::string_view content);

// The lines of a file that AppendToFile() has written, as ReadStateFile() reads it. One that a
// power cut has torn may be among them, if it ends in padding; without a newline it is left out. No
// file is an empty text.
android::base::Result<std::string> ReadWholeLines(const std::string& path);

// What was given to ReplaceFile(), from what stands in the file.
std::string_view WithoutPadding(std::string_view text);

// Renames `path` to `path` with `suffix`, replacing an earlier one; returns the new name.
android::base::Result<std::string> SetFileAside(const std::string& path,
                                                const std::string& suffix = ".corrupt");

// Removes a file, a link or a folder with all that is in it, on one file system; nothing there is
// no error. libc++ has std::filesystem in a library of its own up to Android 14.
android::base::Result<void> RemoveTree(const std::string& path);

// Creates an empty file that nobody else may read, unless there is one. An error when what is there
// is not a regular file that can be read and written.
android::base::Result<void> CreatePrivateFile(const std::string& path);

}  // namespace storekeeper
