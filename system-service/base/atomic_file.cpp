// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/atomic_file.h"

#include <android-base/file.h>
#include <android-base/logging.h>
#include <android-base/stringprintf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/pages.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr char kChecksum[] = "checksum ";

// Pads a file with newlines up to `reserve` bytes, one page at a time: a buffer of the whole
// padding would be the service's largest allocation.
Result<void> Pad(Syscalls& calls, const unique_fd& fd, size_t from, size_t reserve,
                 const std::string& path) {
    const std::string page(kAlignedPageBytes, '\n');
    while (from < reserve) {
        // The first write ends at a page boundary, so that each page is written once.
        const size_t size = std::min(reserve - from, kAlignedPageBytes - from % kAlignedPageBytes);
        TRY(WriteFullyAt(calls, fd, std::string_view(page).substr(0, size),
                         static_cast<off_t>(from), path));
        from += size;
    }
    return {};
}

// A crash may have left a file at `path`, or a stranger may have planted a link there. Neither is
// written to.
Result<void> WriteNewFile(Syscalls& calls, const std::string& path, std::string_view content,
                          size_t reserve, mode_t mode) {
    // Open() fails if something remains, such as a folder that is not empty.
    static_cast<void>(calls.Remove(path));
    const unique_fd fd = TRY(calls.Open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW));
    if (mode != kPrivateMode) TRY(WithPath(path, calls.Fchmod(fd, mode)));
    TRY(WriteFullyAt(calls, fd, content, 0, path));
    TRY(Pad(calls, fd, content.size(), reserve, path));
    return WithPath(path, calls.Fsync(fd));
}

}  // namespace

Result<void> CheckPlain(const struct stat& found, const std::string& path) {
    if (!S_ISREG(found.st_mode)) return Error() << path << " is not a regular file";
    if (found.st_nlink > 1) return Error() << path << " has another name, as a hard link has";
    return {};
}

Result<unique_fd> OpenStateFile(Syscalls& calls, const std::string& path, int flags) {
    // Lstat() comes first because Android's policy lets the daemon open regular files only.
    const Result<struct stat> before = calls.Lstat(path);
    if (before.ok()) TRY(CheckPlain(*before, path));
    Result<unique_fd> fd = calls.Open(path, flags | O_NOFOLLOW | O_NONBLOCK);
    if (!fd.ok() && fd.error().code() == ENOENT && before.ok()) {
        // The file may come back, so nothing may take its place.
        return Error(ESTALE) << path << " has just gone";
    }
    if (!fd.ok()) return fd;
    TRY(CheckPlain(TRY(WithPath(path, calls.Fstat(*fd))), path));
    return fd;
}

Result<std::string> ReadStateFile(Syscalls& calls, const std::string& path, size_t max_bytes) {
    const unique_fd fd = TRY(OpenStateFile(calls, path, O_RDONLY));
    std::string text;
    char buffer[4096];
    for (;;) {
        const size_t count = TRY(WithPath(path, calls.Pread(fd, buffer, sizeof(buffer),
                                                            static_cast<off_t>(text.size()))));
        if (count == 0) return text;
        text.append(buffer, count);
        if (text.size() > max_bytes) {
            return Error() << path << " is longer than " << max_bytes << " bytes";
        }
    }
}

Result<void> WriteFullyAt(Syscalls& calls, borrowed_fd fd, std::string_view content, off_t offset,
                          const std::string& path) {
    while (!content.empty()) {
        const size_t count =
                TRY(WithPath(path, calls.Pwrite(fd, content.data(), content.size(), offset)));
        if (count == 0) return Error(ENOSPC) << path << ": nothing more can be written";
        content.remove_prefix(count);
        offset += static_cast<off_t>(count);
    }
    return {};
}

Result<void> SyncDirectoryOf(Syscalls& calls, const std::string& path) {
    const std::string directory = android::base::Dirname(path);
    const unique_fd fd = TRY(calls.Open(directory, O_RDONLY | O_DIRECTORY));
    return WithPath(directory, calls.Fsync(fd));
}

void MakeRoomForFile(Syscalls& calls, const std::string& path) {
    const Result<struct stat> found = calls.Lstat(path);
    if (!found.ok()) return;
    const Result<void> plain = CheckPlain(*found, path);
    if (!plain.ok()) LOG(WARNING) << plain.error().message() << MakeRoom(calls, path);
}

std::string MakeRoom(Syscalls& calls, const std::string& path) {
    const Result<std::string> aside = SetFileAside(calls, path);
    return aside.ok() ? "; it was set aside as " + *aside
                      : "; setting it aside failed: " + aside.error().message();
}

Result<void> ReplaceFile(Syscalls& calls, const std::string& path, std::string_view content,
                         size_t reserve, mode_t mode) {
    const std::string temporary = path + ".new";
    TRY(WriteNewFile(calls, temporary, content, reserve, mode));
    TRY(calls.Rename(temporary, path));
    return SyncDirectoryOf(calls, path);
}

std::string_view WithoutPadding(std::string_view text) {
    const size_t last = text.find_last_not_of('\n');
    // The first newline after the text ends its last line; the others are padding.
    return text.substr(0, last == std::string_view::npos ? 0 : last + 2);
}

Result<std::string> SetFileAside(Syscalls& calls, const std::string& path,
                                 const std::string& suffix) {
    std::string aside = path + suffix;
    Result<void> renamed = calls.Rename(path, aside);
    int error = 0;
    if (!renamed.ok()) error = renamed.error().code();
    // rename(2) replaces neither a folder by a file nor a file by a folder.
    if (error == EISDIR || error == ENOTDIR || error == ENOTEMPTY || error == EEXIST) {
        TRY(RemoveTree(calls, aside));
        renamed = calls.Rename(path, aside);
    }
    TRY(std::move(renamed));
    TRY(SyncDirectoryOf(calls, path));
    return aside;
}

Result<void> RemoveTree(Syscalls& calls, const std::string& path) {
    const Result<void> removed = calls.Remove(path);
    if (removed.ok() || removed.error().code() == ENOENT) return {};
    if (removed.error().code() != ENOTEMPTY && removed.error().code() != EEXIST) return removed;
    constexpr int kDescriptors = 16;
    const auto remove_one = [](const char* name, const struct stat*, int, FTW*) {
        return remove(name);
    };
    if (nftw(path.c_str(), remove_one, kDescriptors, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0 &&
        errno != ENOENT) {
        return ErrnoError() << "cannot remove " << path;
    }
    return {};
}

Result<void> CreatePrivateFile(Syscalls& calls, const std::string& path) {
    TRY(OpenStateFile(calls, path, O_RDWR | O_CREAT));
    return {};
}

std::string Fnv1aHex(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
    return android::base::StringPrintf("%016llx", static_cast<unsigned long long>(hash));
}

std::string WithChecksum(std::string_view body) {
    return std::string(body) + kChecksum + Fnv1aHex(body) + "\n";
}

Result<std::string_view> CheckedBody(std::string_view text) {
    text = WithoutPadding(text);
    const size_t at = text.rfind(kChecksum);
    if (at == std::string_view::npos) return Error() << "it has no checksum";
    const std::string_view body = text.substr(0, at);
    if (text != WithChecksum(body)) return Error() << "its checksum does not match";
    return body;
}

}  // namespace storekeeper
