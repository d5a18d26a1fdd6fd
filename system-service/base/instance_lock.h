// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <string>
#include <utility>

namespace storekeeper {

// An exclusive right held by one process: flock(2) on an existing folder or file. The mode of that
// file decides which processes can take the lock. Nothing is written, so the file system may be
// read-only. The kernel drops the lock when the process ends, so it cannot go stale.
class InstanceLock {
  public:
    // Fails with EWOULDBLOCK if another process holds the lock. Follows no link.
    static android::base::Result<InstanceLock> Acquire(const std::string& path);

  private:
    explicit InstanceLock(android::base::unique_fd fd) : fd_(std::move(fd)) {}

    android::base::unique_fd fd_;
};

}  // namespace storekeeper
