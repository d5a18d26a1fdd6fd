// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <string>
#include <utility>

namespace storekeeper {

// Holds the right to be the only process that does something, by flock(2) of a folder or a file
// that is there. Only processes that may open it can hold the lock, so its mode says who. Nothing
// is written: the file system may be read-only. The kernel drops the lock when the process ends,
// however it ends, so it cannot go stale.
class InstanceLock {
  public:
    // EWOULDBLOCK as the error's code when another process holds it. No link is followed.
    static android::base::Result<InstanceLock> Acquire(const std::string& path);

  private:
    explicit InstanceLock(android::base::unique_fd fd) : fd_(std::move(fd)) {}

    android::base::unique_fd fd_;
};

}  // namespace storekeeper
