// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/atomic_file.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace storekeeper {

using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

namespace {

// RENAME_EXCHANGE of linux/fs.h, which clashes with the C library's where that has it.
constexpr unsigned int kExchange = 1U << 1;

Result<void> SyncDirectoryOf(const std::string& path) {
    std::string directory = android::base::Dirname(path);
    unique_fd fd(TEMP_FAILURE_RETRY(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << directory;
    if (fsync(fd.get()) != 0) return ErrnoError() << "cannot sync " << directory;
    return {};
}

Result<void> WriteNewFile(const std::string& path, std::string_view content) {
    // 0600: state of a system service is nobody else's to read.
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)));
    if (!fd.ok()) return ErrnoError() << "cannot create " << path;
    if (!android::base::WriteFully(fd, content.data(), content.size())) {
        return ErrnoError() << "cannot write " << path;
    }
    // Afterwards, and not by O_TRUNC: the blocks stay the file's.
    if (ftruncate(fd.get(), static_cast<off_t>(content.size())) != 0) {
        return ErrnoError() << "cannot truncate " << path;
    }
    if (fsync(fd.get()) != 0) return ErrnoError() << "cannot sync " << path;
    return {};
}

}  // namespace

Result<void> ReplaceFile(const std::string& path, std::string_view content) {
    std::string temporary = path + ".new";
    OR_RETURN(WriteNewFile(temporary, content));
    // By number: the C library has it since API 30 only. Fails for the first file, which has
    // nothing to change places with, and on file systems that cannot exchange.
    if (syscall(SYS_renameat2, AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), kExchange) !=
                0 &&
        rename(temporary.c_str(), path.c_str()) != 0) {
        return ErrnoError() << "cannot rename " << temporary << " to " << path;
    }
    return SyncDirectoryOf(path);
}

Result<void> AppendToFile(const std::string& path, std::string_view content) {
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path;
    if (!android::base::WriteFully(fd, content.data(), content.size())) {
        return ErrnoError() << "cannot write " << path;
    }
    if (fdatasync(fd.get()) != 0) return ErrnoError() << "cannot sync " << path;
    return {};
}

Result<std::string> ReadWholeLines(const std::string& path) {
    std::string text;
    if (!android::base::ReadFileToString(path, &text)) {
        if (errno == ENOENT) return std::string();
        return ErrnoError() << "cannot read " << path;
    }
    text.resize(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
    return text;
}

Result<std::string> SetFileAside(const std::string& path) {
    std::string aside = path + ".corrupt";
    if (rename(path.c_str(), aside.c_str()) != 0) {
        return ErrnoError() << "cannot rename " << path << " to " << aside;
    }
    OR_RETURN(SyncDirectoryOf(path));
    return aside;
}

}  // namespace storekeeper
