// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/thread.h"

namespace storekeeper {

// Queries another process that may never answer. Each question runs in a thread of its own, one at
// a time; other callers queue. A caller waits at most its patience for its turn and as long again
// for its answer. Once a question has exceeded that, all other callers fail at once until it is
// answered. A late answer is dropped. All methods may be called from any thread.
class Patience {
  public:
    // `who` names the other process in messages, such as "the health HAL". `stack_bytes` is the
    // stack size of the thread.
    Patience(std::string who, std::chrono::milliseconds patience,
             size_t stack_bytes = Thread::kUsualStack);

    // Calls `question` in that thread, which may outlive this object, so `question` must own its
    // data. Fails with the question's own error, or on a timeout.
    template <typename T>
    android::base::Result<T> Ask(std::function<android::base::Result<T>()> question) {
        // A late answer is stored as well, but by then nobody reads it.
        const auto answer = std::make_shared<std::optional<android::base::Result<T>>>();
        const android::base::Result<void> asked =
                Wait([answer, question = std::move(question)] { answer->emplace(question()); });
        if (!asked.ok()) return android::base::unexpected(asked.error());
        return std::move(**answer);
    }

  private:
    struct State;
    // Succeeds once `question` has returned; fails on a timeout.
    android::base::Result<void> Wait(std::function<void()> question);

    const std::string who_;
    const std::chrono::milliseconds patience_;
    const size_t stack_bytes_;
    // Shared with the thread, which may outlive this object.
    const std::shared_ptr<State> state_;
};

}  // namespace storekeeper
