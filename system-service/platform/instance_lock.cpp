// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/instance_lock.h"

#include <android-base/file.h>
#include <android-base/strings.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace storekeeper {

using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

namespace {

std::string Holder(const unique_fd& fd) {
    std::string pid;
    if (!android::base::ReadFdToString(fd, &pid) || android::base::Trim(pid).empty()) return "?";
    return android::base::Trim(pid);
}

}  // namespace

Result<InstanceLock> InstanceLock::Acquire(const std::string& path) {
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)));
    if (!fd.ok()) return ErrnoError() << "cannot open the lock file " << path;
    if (TEMP_FAILURE_RETRY(flock(fd.get(), LOCK_EX | LOCK_NB)) != 0) {
        int error = errno;
        std::string holder = Holder(fd);
        errno = error;
        return ErrnoError() << "another storekeeperd (pid " << holder << ") holds " << path;
    }
    // The pid serves the message above only; the lock is what counts. Written over the old one: to
    // free its block would make ext4 trim the whole block group again.
    std::string pid = std::to_string(getpid()) + "\n";
    if (!android::base::WriteFully(fd, pid.data(), pid.size()) ||
        ftruncate(fd.get(), static_cast<off_t>(pid.size())) != 0) {
        return ErrnoError() << "cannot write " << path;
    }
    return InstanceLock(std::move(fd));
}

}  // namespace storekeeper
