// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace storekeeper::lab {

// The changes of one property directory, from inotify(7).
class PropertyWatch {
  public:
    struct Changes {
        // Names set since the last call, in the order of their last setting, each once.
        std::vector<std::string> names;
        // The kernel dropped events: names is not complete, so look at every property.
        bool overflowed = false;
    };

    static android::base::Result<PropertyWatch> Open(const std::string& root);

    // Readable when there are changes; for poll(2) and epoll(7). Owned by the watch.
    int fd() const { return fd_.get(); }

    // Returns the changes since the last call. Does not block.
    android::base::Result<Changes> Read();

    // Sleeps until there are changes, at most for timeout (milliseconds::max(): for ever). False
    // once the timeout is over.
    android::base::Result<bool> Wait(std::chrono::milliseconds timeout) const;

  private:
    explicit PropertyWatch(android::base::unique_fd fd) : fd_(std::move(fd)) {}

    android::base::unique_fd fd_;
};

}  // namespace storekeeper::lab
