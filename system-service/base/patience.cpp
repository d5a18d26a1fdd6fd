// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/patience.h"

#include "base/mutex.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

struct Patience::State {
    Mutex lock;
    ConditionVariable changed;
    // A question waits for its answer.
    bool pending GUARDED_BY(lock) = false;
    // The current question has exceeded its caller's patience.
    bool timed_out GUARDED_BY(lock) = false;
};

Patience::Patience(std::string who, std::chrono::milliseconds patience, size_t stack_bytes)
      : who_(std::move(who)),
        patience_(patience),
        stack_bytes_(stack_bytes),
        state_(std::make_shared<State>()) {}

Result<void> Patience::Wait(std::function<void()> question) {
    using std::chrono::steady_clock;
    State& state = *state_;
    // Guarded by state.lock.
    const auto answered = std::make_shared<bool>(false);
    MutexLock guard(state.lock);
    const steady_clock::time_point turn_by = steady_clock::now() + patience_;
    while (state.pending && !state.timed_out && steady_clock::now() < turn_by) {
        state.changed.WaitUntil(state.lock, turn_by);
    }
    if (state.pending) return Error() << who_ << " has not answered an earlier request";
    const auto ask = [shared = state_, answered, question = std::move(question)] {
        question();
        State& state = *shared;
        MutexLock guard(state.lock);
        *answered = true;
        state.pending = state.timed_out = false;
        state.changed.NotifyAll();
    };
    Result<Thread> thread = Thread::Start(ask, stack_bytes_);
    if (!thread.ok()) {
        return Error(thread.error().code())
               << who_ << " is not asked: " << thread.error().message();
    }
    thread->Detach();
    state.pending = true;
    const steady_clock::time_point answer_by = steady_clock::now() + patience_;
    while (!*answered && steady_clock::now() < answer_by) {
        state.changed.WaitUntil(state.lock, answer_by);
    }
    if (*answered) return {};
    state.timed_out = true;
    state.changed.NotifyAll();
    return Error() << who_ << " has not answered within " << patience_.count() << " ms";
}

}  // namespace storekeeper
