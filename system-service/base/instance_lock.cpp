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

Result<InstanceLock> InstanceLock::Acquire(const std::string& folder) {
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << folder << " to lock it";
    if (TEMP_FAILURE_RETRY(flock(fd.get(), LOCK_EX | LOCK_NB)) != 0) {
        if (errno != EWOULDBLOCK) return ErrnoError() << "cannot lock " << folder;
        return ErrnoError() << "another process holds the lock on " << folder;
    }
    return InstanceLock(std::move(fd));
}

}  // namespace storekeeper
