// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <atomic>
#include <chrono>
#include <string_view>

namespace storekeeper {

// Writes answers to descriptors of callers, who may never read them. A pipe or socket is never
// waited for but by poll(), whatever its reader does meanwhile and without changing its flags,
// which are the caller's. Only so many threads wait at once: beyond them, what does not fit is not
// written. May be used from any thread.
class AnswerWriter {
  public:
    struct Limits {
        // Without a byte taken, and in total.
        std::chrono::milliseconds patience{1000};
        std::chrono::milliseconds total{5000};
        // Threads that wait for readers who have taken nothing yet, and for others.
        int waiters = 2;
        // Threads inside a write to a terminal, which alone cannot be kept from waiting: it goes on
        // when the output is resumed or the terminal closed.
        int writers = 4;
    };

    AnswerWriter() = default;
    explicit AnswerWriter(const Limits& limits) : limits_(limits) {}

    // The most threads that ever wait here.
    static constexpr int MaxWaiting(const Limits& limits) {
        return 2 * limits.waiters + limits.writers;
    }

    // PrintableLines() of `answer`, all of it, or an error: the reader has gone, takes nothing, or
    // too many others wait.
    android::base::Result<void> Write(android::base::borrowed_fd to, std::string_view answer);

  private:
    const Limits limits_ = {};
    std::atomic<int> stuck_ = 0;
    std::atomic<int> slow_ = 0;
    std::atomic<int> writing_ = 0;
};

}  // namespace storekeeper
