// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/instance_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace storekeeper {

using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

Result<InstanceLock> InstanceLock::Acquire(const std::string& path) {
    unique_fd fd(
            TEMP_FAILURE_RETRY(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path << " to lock it";
    if (TEMP_FAILURE_RETRY(flock(fd.get(), LOCK_EX | LOCK_NB)) != 0) {
        if (errno != EWOULDBLOCK) return ErrnoError() << "cannot lock " << path;
        return ErrnoError() << "another process holds the lock on " << path;
    }
    return InstanceLock(std::move(fd));
}

}  // namespace storekeeper
