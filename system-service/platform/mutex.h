// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/thread_annotations.h>

#include <condition_variable>
#include <mutex>

namespace storekeeper {

// std::mutex with the annotations -Wthread-safety needs, which libstdc++ does not carry.
class CAPABILITY("mutex") Mutex {
  public:
    // Not analysed inside: a library whose std::mutex is annotated would see its lock escape.
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

// Waits are written as `while (!condition) signal.Wait(mutex);` so that the condition's reads of
// guarded members are checked by the annotations.
class ConditionVariable {
  public:
    void Wait(Mutex& mutex) REQUIRES(mutex) { condition_.wait(mutex); }
    void NotifyAll() { condition_.notify_all(); }

  private:
    std::condition_variable_any condition_;
};

}  // namespace storekeeper
