// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/syscalls.h"
#include "base/try.h"

namespace storekeeper {

// Longer than any file that the service writes and reads back, but for the history's.
inline constexpr size_t kMaxStateFileBytes = 64 * 1024;

// Mode of a file that nobody else may read; Syscalls::Open() creates files with it.
inline constexpr mode_t kPrivateMode = 0600;

// An error without a number unless it is a regular file that has no second name: a planted hard
// link would let the service write into a file of somebody else.
android::base::Result<void> CheckPlain(const struct stat& found, const std::string& path);

// Opens a file of the service's own. What stands there may be anything: only a file that
// CheckPlain() accepts is opened, no link is followed, and nothing is waited for. The error has a
// number where the file cannot be opened now (ENOENT, EIO), and none where it is not plain.
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

// Makes room for a file whose content does not matter, unless a plain one stands there.
void MakeRoomForFile(Syscalls& calls, const std::string& path);

// Replaces a file so that a power cut leaves the old or the new content, never a mixture: a
// temporary file beside it, `path`.new, is created exclusively, written and synced, renamed over
// it, then the directory is synced. `content`: lines, each with its newline. Newlines fill the file
// up to `reserve` bytes, so that records can be appended later without a change of its size.
// `mode` is what it gets, whatever the umask.
android::base::Result<void> ReplaceFile(Syscalls& calls, const std::string& path,
                                        std::string_view content, size_t reserve = 0,
                                        mode_t mode = kPrivateMode);

// What was given to ReplaceFile(), from what stands in the file.
std::string_view WithoutPadding(std::string_view text);

// Renames `path` to `path` with `suffix`, replacing an earlier one; returns the new name.
android::base::Result<std::string> SetFileAside(Syscalls& calls, const std::string& path,
                                                const std::string& suffix = ".corrupt");

// Removes a file, a link or a folder with all that is in it, on one file system; nothing there is
// no error. libc++ has std::filesystem in a library of its own up to Android 14.
android::base::Result<void> RemoveTree(Syscalls& calls, const std::string& path);

// Creates an empty file that nobody else may read, unless there is one. An error when what is there
// is not a plain file that can be read and written.
android::base::Result<void> CreatePrivateFile(Syscalls& calls, const std::string& path);

// 64-bit FNV-1a as 16 hexadecimal digits: distinguishes accidents and different things, keeps
// nobody out.
std::string Fnv1aHex(std::string_view text);

// Text of lines with a checksum in a last line, so that a torn or foreign file is recognised.
std::string WithChecksum(std::string_view body);

// The body, once the checksum has been found right. Padding behind it is passed over.
android::base::Result<std::string_view> CheckedBody(std::string_view text);

}  // namespace storekeeper
