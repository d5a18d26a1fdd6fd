// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

// Annotations for -Wthread-safety, named as in Clang's manual. libbase's header with the same names
// defines a class that needs std::mutex to be a capability, and only Soong's C++ library annotates
// it so.
#if defined(__clang__)
#define STOREKEEPER_ATTRIBUTE(x) __attribute__((x))
#else
#define STOREKEEPER_ATTRIBUTE(x)
#endif
#define CAPABILITY(x) STOREKEEPER_ATTRIBUTE(capability(x))
#define SCOPED_CAPABILITY STOREKEEPER_ATTRIBUTE(scoped_lockable)
#define GUARDED_BY(x) STOREKEEPER_ATTRIBUTE(guarded_by(x))
#define REQUIRES(...) STOREKEEPER_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) STOREKEEPER_ATTRIBUTE(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) STOREKEEPER_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define RELEASE(...) STOREKEEPER_ATTRIBUTE(release_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS STOREKEEPER_ATTRIBUTE(no_thread_safety_analysis)

namespace storekeeper {

// std::mutex with the annotations for -Wthread-safety, which libstdc++ lacks.
class CAPABILITY("mutex") Mutex {
  public:
    // Not analysed inside: with an annotated std::mutex the analysis would report a lock that is
    // still held at the end.
    void lock() ACQUIRE() NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
    void unlock() RELEASE() NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }

  private:
    std::mutex mutex_;
};

class SCOPED_CAPABILITY MutexLock {
  public:
    explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
    ~MutexLock() RELEASE() { mutex_.unlock(); }
    MutexLock(const MutexLock&) = delete;
    MutexLock& operator=(const MutexLock&) = delete;

  private:
    Mutex& mutex_;
};

// Callers wait in a loop, `while (!condition) signal.Wait(mutex);`, so that the annotations check
// the condition's reads of guarded members.
class ConditionVariable {
  public:
    void Wait(Mutex& mutex) REQUIRES(mutex) { condition_.wait(mutex); }
    // Returns at `deadline` at the latest; the caller checks the clock to detect a timeout.
    void WaitUntil(Mutex& mutex, std::chrono::steady_clock::time_point deadline) REQUIRES(mutex) {
        condition_.wait_until(mutex, deadline);
    }
    void NotifyAll() { condition_.notify_all(); }

  private:
    std::condition_variable_any condition_;
};

}  // namespace storekeeper
