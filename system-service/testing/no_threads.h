// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <pthread.h>

#include <limits>

namespace storekeeper {

// While it lives, no thread of the usual size starts: pthread_create(3) returns EAGAIN, as at a
// limit. A stack that fits into no address space stands for any limit.
class NoThreads {
  public:
#if defined(__GLIBC__)
    NoThreads() {
        pthread_getattr_default_np(&usual_);
        pthread_attr_t attributes = usual_;
        pthread_attr_setstacksize(&attributes, std::numeric_limits<size_t>::max() / 8 * 7);
        refused_ = pthread_setattr_default_np(&attributes) == 0;
    }
    ~NoThreads() {
        pthread_setattr_default_np(&usual_);
    }
#else
    NoThreads() = default;
#endif
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

    // True if this libc permits setting the usual size.
    explicit operator bool() const {
        return refused_;
    }

  private:
#if defined(__GLIBC__)
    pthread_attr_t usual_{};
#endif
    bool refused_ = false;
};

}  // namespace storekeeper
