// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/syscalls.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace storekeeper {
using android::base::borrowed_fd;
using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

Result<unique_fd> LinuxSyscalls::Open(const std::string& path, int flags) {
    unique_fd fd(TEMP_FAILURE_RETRY(open(path.c_str(), flags | O_CLOEXEC, 0600)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path;
    return fd;
}

Result<int> LinuxSyscalls::Ioctl(borrowed_fd fd, unsigned long request, void* argument,
                                 const std::string& what) {
    // Not retried on EINTR: FITRIM returns EINTR when it is stopped, and a retry would start it
    // over.
    int answer = ioctl(fd.get(), request, argument);
    if (answer < 0) return ErrnoError() << what;
    return answer;
}

Result<size_t> LinuxSyscalls::Read(borrowed_fd fd, void* buffer, size_t size) {
    ssize_t count = TEMP_FAILURE_RETRY(read(fd.get(), buffer, size));
    if (count < 0) return ErrnoError() << "cannot read";
    return static_cast<size_t>(count);
}

Result<size_t> LinuxSyscalls::Pread(borrowed_fd fd, void* buffer, size_t size, off_t offset) {
    ssize_t count = TEMP_FAILURE_RETRY(pread(fd.get(), buffer, size, offset));
    if (count < 0) return ErrnoError() << "cannot read at " << offset;
    return static_cast<size_t>(count);
}

Result<size_t> LinuxSyscalls::Pwrite(borrowed_fd fd, const void* buffer, size_t size,
                                     off_t offset) {
    ssize_t count = TEMP_FAILURE_RETRY(pwrite(fd.get(), buffer, size, offset));
    if (count < 0) return ErrnoError() << "cannot write at " << offset;
    return static_cast<size_t>(count);
}

Result<void> LinuxSyscalls::Fdatasync(borrowed_fd fd) {
    if (TEMP_FAILURE_RETRY(fdatasync(fd.get())) != 0) return ErrnoError() << "cannot fdatasync";
    return {};
}

Result<void> LinuxSyscalls::Fsync(borrowed_fd fd) {
    if (TEMP_FAILURE_RETRY(fsync(fd.get())) != 0) return ErrnoError() << "cannot fsync";
    return {};
}

Result<void> LinuxSyscalls::Ftruncate(borrowed_fd fd, off_t size) {
    if (TEMP_FAILURE_RETRY(ftruncate(fd.get(), size)) != 0) {
        return ErrnoError() << "cannot truncate to " << size;
    }
    return {};
}

Result<void> LinuxSyscalls::Fallocate(borrowed_fd fd, int mode, off_t offset, off_t length) {
    if (TEMP_FAILURE_RETRY(fallocate(fd.get(), mode, offset, length)) != 0) {
        return ErrnoError() << ((mode & FALLOC_FL_PUNCH_HOLE) != 0 ? "cannot free "
                                                                   : "cannot reserve ")
                            << length << " bytes";
    }
    return {};
}

Result<void> LinuxSyscalls::DropCache(borrowed_fd fd) {
    const int error = posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
    if (error != 0) return Error(error) << "cannot drop its page cache";
    return {};
}

Result<void> LinuxSyscalls::SetWriteLife(borrowed_fd fd, uint64_t life) {
    if (fcntl(fd.get(), F_SET_RW_HINT, &life) != 0) return ErrnoError() << "cannot F_SET_RW_HINT";
    return {};
}

Result<void> LinuxSyscalls::Fchmod(borrowed_fd fd, mode_t mode) {
    if (fchmod(fd.get(), mode) != 0) return ErrnoError() << "cannot chmod";
    return {};
}

Result<struct stat> LinuxSyscalls::Fstat(borrowed_fd fd) {
    struct stat answer = {};
    if (fstat(fd.get(), &answer) != 0) return ErrnoError() << "cannot fstat";
    return answer;
}

Result<struct stat> LinuxSyscalls::Lstat(const std::string& path) {
    struct stat answer = {};
    if (lstat(path.c_str(), &answer) != 0) return ErrnoError() << "cannot lstat " << path;
    return answer;
}

Result<struct statvfs> LinuxSyscalls::Statvfs(const std::string& path) {
    struct statvfs answer = {};
    if (TEMP_FAILURE_RETRY(statvfs(path.c_str(), &answer)) != 0) {
        return ErrnoError() << "cannot statvfs " << path;
    }
    return answer;
}

Result<void> LinuxSyscalls::Access(const std::string& path, int mode) {
    if (access(path.c_str(), mode) != 0) return ErrnoError() << "cannot access " << path;
    return {};
}

Result<void> LinuxSyscalls::Rename(const std::string& from, const std::string& to) {
    if (rename(from.c_str(), to.c_str()) != 0) {
        return ErrnoError() << "cannot rename " << from << " to " << to;
    }
    return {};
}

Result<void> LinuxSyscalls::Remove(const std::string& path) {
    if (remove(path.c_str()) != 0) return ErrnoError() << "cannot remove " << path;
    return {};
}

}  // namespace storekeeper
