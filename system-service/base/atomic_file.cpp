// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/atomic_file.h"

#include <android-base/file.h>
#include <android-base/logging.h>
#include <android-base/stringprintf.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "base/file_reader.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr char kChecksum[] = "checksum ";

// RENAME_EXCHANGE of linux/fs.h, which clashes with the C library's where that has it.
constexpr unsigned int kExchange = 1U << 1;

Result<void> SyncDirectoryOf(const std::string& path) {
    std::string directory = android::base::Dirname(path);
    unique_fd fd(TEMP_FAILURE_RETRY(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << directory;
    if (fsync(fd.get()) != 0) return ErrnoError() << "cannot sync " << directory;
    return {};
}

// Fills a file with newlines from `from` on to its end, or to `reserve` bytes when that is more:
// cutting it off would free blocks.
Result<void> Pad(const unique_fd& fd, off_t from, off_t reserve, const std::string& path) {
    struct stat before {};
    if (fstat(fd.get(), &before) != 0) return ErrnoError() << "cannot stat " << path;
    off_t end = before.st_size;
    // Longer than what is read again: not written by the service.
    if (end > static_cast<off_t>(kMaxStateFileBytes)) {
        if (ftruncate(fd.get(), from) != 0) return ErrnoError() << "cannot truncate " << path;
        end = from;
    }
    end = std::max(end, reserve);
    if (end <= from) return {};
    const std::string padding(static_cast<size_t>(end - from), '\n');
    if (!android::base::WriteFully(fd, padding.data(), padding.size())) {
        return ErrnoError() << "cannot write " << path;
    }
    return {};
}

Result<void> SetMode(const unique_fd& fd, mode_t mode, const std::string& path) {
    struct stat now {};
    if (fstat(fd.get(), &now) != 0) return ErrnoError() << "cannot stat " << path;
    if ((now.st_mode & 0777) == mode || now.st_uid != geteuid()) return {};
    if (fchmod(fd.get(), mode) != 0) return ErrnoError() << "cannot chmod " << path;
    return {};
}

// What is not a regular file and stands where the second file goes. What stays, such as a folder
// that is not empty, makes the opening fail.
void RemoveStranger(const std::string& path) {
    struct stat of {};
    if (lstat(path.c_str(), &of) == 0 && !S_ISREG(of.st_mode)) remove(path.c_str());
}

Result<void> WriteNewFile(const std::string& path, std::string_view content, size_t reserve,
                          mode_t mode) {
    RemoveStranger(path);
    const unique_fd fd = TRY(OpenStateFile(path, O_WRONLY | O_CREAT));
    TRY(SetMode(fd, mode, path));
    if (!android::base::WriteFully(fd, content.data(), content.size())) {
        return ErrnoError() << "cannot write " << path;
    }
    TRY(Pad(fd, static_cast<off_t>(content.size()), static_cast<off_t>(reserve), path));
    if (fsync(fd.get()) != 0) return ErrnoError() << "cannot sync " << path;
    return {};
}

}  // namespace

Result<unique_fd> OpenStateFile(const std::string& path, int flags) {
    // First without opening it: Android's policy lets the daemon open regular files alone.
    struct stat of = {};
    if (lstat(path.c_str(), &of) == 0 && !S_ISREG(of.st_mode)) {
        return Error() << path << " is not a regular file";
    }
    // 0600: state of a system service is nobody else's to read.
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path;
    if (fstat(fd.get(), &of) != 0) return ErrnoError() << "cannot stat " << path;
    if (!S_ISREG(of.st_mode)) return Error() << path << " is not a regular file";
    return fd;
}

Result<std::string> ReadStateFile(const std::string& path, size_t max_bytes) {
    return ReadToEnd(TRY(OpenStateFile(path, O_RDONLY)), max_bytes, path);
}

void MakeRoomForFile(const std::string& path) {
    struct stat of = {};
    if (lstat(path.c_str(), &of) != 0 || S_ISREG(of.st_mode)) return;
    LOG(WARNING) << path << " is not a regular file" << MakeRoom(path);
}

std::string MakeRoom(const std::string& path) {
    const Result<std::string> aside = SetFileAside(path);
    return aside.ok() ? "; it was set aside as " + *aside
                      : "; setting it aside failed: " + aside.error().message();
}

Result<void> ReplaceFile(const std::string& path, std::string_view content, size_t reserve,
                         mode_t mode) {
    std::string temporary = path + ".new";
    TRY(WriteNewFile(temporary, content, reserve, mode));
    // By number: the C library has it since API 30 only. Fails for the first file, which has
    // nothing to change places with, and on file systems that cannot exchange.
    if (syscall(SYS_renameat2, AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), kExchange) !=
                0 &&
        rename(temporary.c_str(), path.c_str()) != 0) {
        return ErrnoError() << "cannot rename " << temporary << " to " << path;
    }
    return SyncDirectoryOf(path);
}

std::string_view WithoutPadding(std::string_view text) {
    const size_t last = text.find_last_not_of('\n');
    // The newline behind it ends the line.
    return text.substr(0, last == std::string_view::npos ? 0 : last + 2);
}

Result<std::string> SetFileAside(const std::string& path, const std::string& suffix) {
    std::string aside = path + suffix;
    int renamed = rename(path.c_str(), aside.c_str());
    // A folder and what is none do not replace each other.
    if (renamed != 0 && (errno == EISDIR || errno == ENOTDIR || errno == ENOTEMPTY)) {
        TRY(RemoveTree(aside));
        renamed = rename(path.c_str(), aside.c_str());
    }
    if (renamed != 0) {
        return ErrnoError() << "cannot rename " << path << " to " << aside;
    }
    TRY(SyncDirectoryOf(path));
    return aside;
}

Result<void> RemoveTree(const std::string& path) {
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

Result<void> CreatePrivateFile(const std::string& path) {
    TRY(OpenStateFile(path, O_RDWR | O_CREAT));
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
