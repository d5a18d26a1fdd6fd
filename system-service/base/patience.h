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

// Asks another process that may never answer. The question stands in a thread of its own, one at a
// time: others wait for their turn. Each waits at most its patience for its turn and as long for
// its answer; once a question has outlasted that, all others are refused at once until it is
// answered. A late answer is dropped. May be called from any thread.
class Patience {
  public:
    // `who` is asked, as messages name it: "the health HAL". `stack_bytes`: of the thread.
    Patience(std::string who, std::chrono::milliseconds patience,
             size_t stack_bytes = Thread::kUsualStack);

    // `question` is called in that thread, which may outlive this object: it keeps alive what it
    // uses. An error, beside those of the answer, says that there was none in time.
    template <typename T>
    android::base::Result<T> Ask(std::function<android::base::Result<T>()> question) {
        using Answer = android::base::Result<T>;
        const auto answer = std::make_shared<std::optional<Answer>>();
        const android::base::Result<void> asked = Wait([answer, question = std::move(question)] {
            const auto given = std::make_shared<Answer>(question());
            return [answer, given] { *answer = std::move(*given); };
        });
        if (!asked.ok()) return android::base::unexpected(asked.error());
        return std::move(**answer);
    }

  private:
    struct Desk;
    // What puts an answer where who asked looks for it.
    using Delivery = std::function<void()>;

    // Whether `question` was answered in time; its answer is delivered then.
    android::base::Result<void> Wait(std::function<Delivery()> question);

    const std::string who_;
    const std::chrono::milliseconds patience_;
    const size_t stack_bytes_;
    // Of the thread as well.
    const std::shared_ptr<Desk> desk_;
};

}  // namespace storekeeper
