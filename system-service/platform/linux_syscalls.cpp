// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/linux_syscalls.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace storekeeper {

using android::base::borrowed_fd;
using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

Result<unique_fd> LinuxSyscalls::Open(const std::string& path, int flags) {
    unique_fd fd(TEMP_FAILURE_RETRY(open(path.c_str(), flags | O_CLOEXEC)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path;
    return fd;
}

Result<int> LinuxSyscalls::Ioctl(borrowed_fd fd, unsigned long request, void* argument,
                                 const std::string& what) {
    // Not retried on EINTR: FITRIM answers EINTR to stop, and starting over would undo that.
    int answer = ioctl(fd.get(), request, argument);
    if (answer < 0) return ErrnoError() << what;
    return answer;
}

Result<size_t> LinuxSyscalls::Read(borrowed_fd fd, void* buffer, size_t size) {
    ssize_t count = TEMP_FAILURE_RETRY(read(fd.get(), buffer, size));
    if (count < 0) return ErrnoError() << "cannot read";
    return static_cast<size_t>(count);
}

Result<struct statvfs> LinuxSyscalls::Statvfs(const std::string& path) {
    struct statvfs answer = {};
    if (TEMP_FAILURE_RETRY(statvfs(path.c_str(), &answer)) != 0) {
        return ErrnoError() << "cannot statvfs " << path;
    }
    return answer;
}

Result<dev_t> LinuxSyscalls::DeviceOf(borrowed_fd fd) {
    struct stat answer = {};
    if (fstat(fd.get(), &answer) != 0) return ErrnoError() << "cannot fstat";
    return answer.st_dev;
}

}  // namespace storekeeper
