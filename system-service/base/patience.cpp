// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/patience.h"

#include "base/mutex.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

struct Patience::Desk {
    Mutex lock;
    ConditionVariable changed;
    bool asking GUARDED_BY(lock) = false;
    // The current question has exceeded its caller's patience.
    bool overdue GUARDED_BY(lock) = false;
};

Patience::Patience(std::string who, std::chrono::milliseconds patience, size_t stack_bytes)
      : who_(std::move(who)),
        patience_(patience),
        stack_bytes_(stack_bytes),
        desk_(std::make_shared<Desk>()) {}

Result<void> Patience::Wait(std::function<Delivery()> question) {
    using std::chrono::steady_clock;
    Desk& desk = *desk_;
    // Guarded by desk.lock.
    const auto answered = std::make_shared<bool>(false);
    MutexLock guard(desk.lock);
    const steady_clock::time_point turn_by = steady_clock::now() + patience_;
    while (desk.asking && !desk.overdue && steady_clock::now() < turn_by) {
        desk.changed.WaitUntil(desk.lock, turn_by);
    }
    if (desk.asking) return Error() << who_ << " has not answered an earlier request";
    const auto ask = [shared = desk_, answered, question = std::move(question)] {
        const Delivery deliver = question();
        Desk& desk = *shared;
        MutexLock guard(desk.lock);
        deliver();
        *answered = true;
        desk.asking = desk.overdue = false;
        desk.changed.NotifyAll();
    };
    Result<Thread> thread = Thread::Start(ask, stack_bytes_);
    if (!thread.ok()) {
        return Error(thread.error().code())
               << who_ << " is not asked: " << thread.error().message();
    }
    thread->Detach();
    desk.asking = true;
    const steady_clock::time_point answer_by = steady_clock::now() + patience_;
    while (!*answered && steady_clock::now() < answer_by) {
        desk.changed.WaitUntil(desk.lock, answer_by);
    }
    if (*answered) return {};
    desk.overdue = true;
    desk.changed.NotifyAll();
    return Error() << who_ << " has not answered within " << patience_.count() << " ms";
}

}  // namespace storekeeper
