// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/unique_fd.h>

namespace storekeeper {

// A wish of the user or of init that the program end: SIGINT, SIGTERM, SIGHUP. They are held back
// from the thread that makes this, and from those that it starts, as long as the object lives. When
// no descriptor is left for it they end the program, as without it.
class Termination {
  public:
    Termination();
    ~Termination();
    Termination(const Termination&) = delete;
    Termination& operator=(const Termination&) = delete;

    // Readable once one of them has come, for poll(2).
    int fd() const { return fd_.get(); }
    bool requested() const;

  private:
    android::base::unique_fd fd_;
};

}  // namespace storekeeper
