// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>
#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/syscalls.h"
#include "base/try.h"

namespace storekeeper {

// Longer than any file that the service writes and reads back, but for the history's.
inline constexpr size_t kMaxStateFileBytes = 64 * 1024;

// Opens a file of the service's own. What stands there may be anything: only a regular file is
// opened, no link is followed, and nothing is waited for. The error has a number where the file
// cannot be opened now (ENOENT, EIO), and none where what stands there is no regular file.
android::base::Result<android::base::unique_fd> OpenStateFile(Syscalls& calls,
                                                              const std::string& path, int flags);

// Reads such a file. What is longer than `max_bytes` is an error without a number.
android::base::Result<std::string> ReadStateFile(Syscalls& calls, const std::string& path,
                                                 size_t max_bytes = kMaxStateFileBytes);

// Writes all of it at `offset` of an open file that is at `path`.
android::base::Result<void> WriteFullyAt(Syscalls& calls, android::base::borrowed_fd fd,
                                         std::string_view content, off_t offset,
                                         const std::string& path);

// The entries of the directory that `path` is in are on the disk when it returns well.
android::base::Result<void> SyncDirectoryOf(Syscalls& calls, const std::string& path);

// What stands there is at fault: trying again later does not help.
inline bool IsUnusable(const ResultFailure& failure) {
    return failure.code() == 0;
}

// Makes room where an unusable file stands: renames it to `path`.corrupt. Returns how that went, to
// follow what was wrong with it in a message: "; it was set aside as ...".
std::string MakeRoom(Syscalls& calls, const std::string& path);

// The same for a file whose content does not matter: only where something else stands there.
void MakeRoomForFile(Syscalls& calls, const std::string& path);

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
android::base::Result<void> ReplaceFile(Syscalls& calls, const std::string& path,
                                        std::string_view content, size_t reserve = 0,
                                        mode_t mode = 0600);

// What was given to ReplaceFile(), from what stands in the file.
std::string_view WithoutPadding(std::string_view text);

// Renames `path` to `path` with `suffix`, replacing an earlier one; returns the new name.
android::base::Result<std::string> SetFileAside(Syscalls& calls, const std::string& path,
                                                const std::string& suffix = ".corrupt");

// Removes a file, a link or a folder with all that is in it, on one file system; nothing there is
// no error. libc++ has std::filesystem in a library of its own up to Android 14.
android::base::Result<void> RemoveTree(Syscalls& calls, const std::string& path);

// Creates an empty file that nobody else may read, unless there is one. An error when what is there
// is not a regular file that can be read and written.
android::base::Result<void> CreatePrivateFile(Syscalls& calls, const std::string& path);

// 64-bit FNV-1a as 16 hexadecimal digits: distinguishes accidents and different things, keeps
// nobody out.
std::string Fnv1aHex(std::string_view text);

// Text of lines with a checksum in a last line, so that a torn or foreign file is recognised.
std::string WithChecksum(std::string_view body);

// The body, once the checksum has been found right. Padding behind it is passed over.
android::base::Result<std::string_view> CheckedBody(std::string_view text);

}  // namespace storekeeper
