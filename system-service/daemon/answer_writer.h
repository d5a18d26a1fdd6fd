// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <atomic>
#include <chrono>
#include <string_view>

namespace storekeeper {

// Writes answers to callers' descriptors, whose readers may never read. A pipe or socket is waited
// for by poll() only, so its reader cannot block a write. Its flags belong to the caller and stay
// unchanged. The number of waiting threads is bounded; beyond it an answer that does not fit is
// dropped. Safe from any thread.
class AnswerWriter {
  public:
    struct Limits {
        // Time limits of one answer: without progress, and in total.
        std::chrono::milliseconds patience{1000};
        std::chrono::milliseconds total{5000};
        // Limit of threads that wait for readers without any progress, and again of those with
        // some.
        int waiters = 2;
        // Limit of threads inside a write to a terminal. Such a write may block in spite of poll(),
        // until the output is resumed or the terminal closed.
        int writers = 4;
    };

    AnswerWriter() = default;
    explicit AnswerWriter(const Limits& limits) : limits_(limits) {}

    // Upper bound of threads that wait in Write() at once.
    static constexpr int MaxWaiting(const Limits& limits) {
        return 2 * limits.waiters + limits.writers;
    }

    // Writes PrintableLines() of `answer` completely. Fails if the reader has gone or does not
    // read, or if too many other threads wait.
    android::base::Result<void> Write(android::base::borrowed_fd to, std::string_view answer);

  private:
    const Limits limits_ = {};
    std::atomic<int> stuck_ = 0;
    std::atomic<int> slow_ = 0;
    std::atomic<int> writing_ = 0;
};

}  // namespace storekeeper
