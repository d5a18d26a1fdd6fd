// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <pthread.h>

#include <cstddef>
#include <functional>

namespace storekeeper {

// A thread whose start may fail; std::thread would end the process if the system has no thread
// left.
class Thread {
  public:
    // Requests the system's default stack size.
    static constexpr size_t kUsualStack = 0;

    // Fails with EAGAIN at a limit of threads or memory.
    static android::base::Result<Thread> Start(std::function<void()> body,
                                               size_t stack_bytes = kUsualStack);
    Thread(Thread&& other) noexcept : thread_(other.thread_), ours_(other.ours_) {
        other.ours_ = false;
    }
    Thread& operator=(Thread&&) = delete;
    // Joins the thread unless it was detached.
    ~Thread();

    void Detach();

  private:
    explicit Thread(pthread_t thread) : thread_(thread) {}

    pthread_t thread_;
    bool ours_ = true;
};

}  // namespace storekeeper
