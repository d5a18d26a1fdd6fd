// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/state_file.h"

#include <android-base/logging.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

Result<std::string> ReadAtMost(const unique_fd& fd, size_t max_bytes, const std::string& path) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t count = TEMP_FAILURE_RETRY(read(fd.get(), buffer, sizeof(buffer)));
        if (count < 0) return ErrnoError() << "cannot read " << path;
        if (count == 0) return text;
        text.append(buffer, static_cast<size_t>(count));
        if (text.size() > max_bytes) {
            return Error() << path << " is longer than " << max_bytes << " bytes";
        }
    }
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
    return ReadAtMost(TRY(OpenStateFile(path, O_RDONLY)), max_bytes, path);
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

}  // namespace storekeeper
