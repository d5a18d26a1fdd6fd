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

// Default limit of ReadStateFile(); state.log has exactly this size.
inline constexpr size_t kMaxStateFileBytes = 64 * 1024;

// Mode of a file that nobody else may read; Syscalls::Open() creates files with it.
inline constexpr mode_t kPrivateMode = 0600;

// Fails without an error number unless the file is regular and has a single name. Otherwise a
// planted hard link could redirect the service's writes to a file of another user.
android::base::Result<void> CheckPlain(const struct stat& found, const std::string& path);

// Opens one of the service's own files. Follows no link, never blocks, and accepts only a file that
// passes CheckPlain(). The error carries a number if the file cannot be opened now (ENOENT, EIO),
// and none if it is not plain.
android::base::Result<android::base::unique_fd> OpenStateFile(Syscalls& calls,
                                                              const std::string& path, int flags);

// Reads a state file. A file longer than `max_bytes` is an error without a number.
android::base::Result<std::string> ReadStateFile(Syscalls& calls, const std::string& path,
                                                 size_t max_bytes = kMaxStateFileBytes);

// Writes all of `content` at `offset`. `path` is the path of the open file `fd`, for errors.
android::base::Result<void> WriteFullyAt(Syscalls& calls, android::base::borrowed_fd fd,
                                         std::string_view content, off_t offset,
                                         const std::string& path);

// Flushes the entries of the directory that contains `path` to the disk.
android::base::Result<void> SyncDirectoryOf(Syscalls& calls, const std::string& path);

// True if the file itself is at fault, so that a retry cannot succeed.
inline bool IsUnusable(const ResultFailure& failure) {
    return failure.code() == 0;
}

// Renames an unusable file to `path`.corrupt. Returns the outcome as the end of a message: "; it
// was set aside as ...".
std::string MakeRoom(Syscalls& calls, const std::string& path);

// Renames anything at `path` that is not a plain file. A plain file stays.
void MakeRoomForFile(Syscalls& calls, const std::string& path);

// Replaces a file so that a power cut leaves the old or the new content, never a mixture. A
// temporary file beside it, `path`.new, is created exclusively, written, synced and renamed over
// it, then the directory is synced. `content` consists of lines, each with its newline. Newlines
// pad the file to `reserve` bytes, so that later appends do not change its size. The file gets
// `mode` regardless of the umask.
android::base::Result<void> ReplaceFile(Syscalls& calls, const std::string& path,
                                        std::string_view content, size_t reserve = 0,
                                        mode_t mode = kPrivateMode);

// The content that was passed to ReplaceFile(), given the whole text of the file.
std::string_view WithoutPadding(std::string_view text);

// Renames `path` to `path` + `suffix`, replaces an earlier file of that name, and returns the name.
android::base::Result<std::string> SetFileAside(Syscalls& calls, const std::string& path,
                                                const std::string& suffix = ".corrupt");

// Removes a file, a link or a whole folder on one file system. An absent path is no error. Not
// std::filesystem: libc++ has it in a separate library up to Android 14.
android::base::Result<void> RemoveTree(Syscalls& calls, const std::string& path);

// Creates an empty file with mode 0600 unless one exists. Fails if the existing file is not plain,
// readable and writable.
android::base::Result<void> CreatePrivateFile(Syscalls& calls, const std::string& path);

// 64-bit FNV-1a as 16 hexadecimal digits. It detects accidental damage, not deliberate changes.
std::string Fnv1aHex(std::string_view text);

// Appends a checksum as the last line, so that a torn or foreign file is recognised.
std::string WithChecksum(std::string_view body);

// The text before a correct checksum line. Padding after that line is ignored.
android::base::Result<std::string_view> CheckedBody(std::string_view text);

}  // namespace storekeeper
