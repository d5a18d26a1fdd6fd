// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "daemon/wake_lock.h"

#include <hardware_legacy/power.h>

#include <utility>

#include "base/mutex.h"
#include "base/thread.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

namespace {

constexpr char kWakeLock[] = "storekeeper";

}  // namespace

struct WakeLock::State {
    explicit State(Calls given) : calls(std::move(given)) {}

    // Calls libpower until the lock is as wanted, or a call fails.
    void Follow() {
        lock.lock();
        while (held != wanted) {
            const bool to = wanted;
            lock.unlock();
            const int result = to ? calls.acquire() : calls.release();
            lock.lock();
            failed = result != 0;
            if (failed) break;
            held = to;
        }
        following = false;
        changed.NotifyAll();
        lock.unlock();
    }

    const Calls calls;
    Mutex lock;
    ConditionVariable changed;
    bool wanted GUARDED_BY(lock) = false;
    bool held GUARDED_BY(lock) = false;
    bool failed GUARDED_BY(lock) = false;
    // A thread is in Follow().
    bool following GUARDED_BY(lock) = false;
};

WakeLock::WakeLock(std::chrono::milliseconds patience)
      : WakeLock(patience,
                 {.acquire = [] { return acquire_wake_lock(PARTIAL_WAKE_LOCK, kWakeLock); },
                  .release = [] { return release_wake_lock(kWakeLock); }}) {}

WakeLock::WakeLock(std::chrono::milliseconds patience, Calls calls)
      : patience_(patience), state_(std::make_shared<State>(std::move(calls))) {}

Result<void> WakeLock::Set(bool awake) {
    State& state = *state_;
    MutexLock guard(state.lock);
    state.wanted = awake;
    if (!state.following) {
        if (state.held == awake) return {};
        Result<Thread> thread = Thread::Start([shared = state_] { shared->Follow(); });
        if (!thread.ok()) return thread.error();
        thread->Detach();
        state.following = true;
    }
    const auto answer_by = std::chrono::steady_clock::now() + patience_;
    while (state.following && std::chrono::steady_clock::now() < answer_by) {
        state.changed.WaitUntil(state.lock, answer_by);
    }
    if (state.following) {
        return Error() << "android.system.suspend has not answered within " << patience_.count()
                       << " ms";
    }
    if (state.failed) {
        return Error() << "android.system.suspend " << (awake ? "gives" : "takes back")
                       << " no wake lock '" << kWakeLock << "'";
    }
    return {};
}

}  // namespace storekeeper
