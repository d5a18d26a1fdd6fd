// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <chrono>
#include <optional>
#include <string>

#include "base/mutex.h"

namespace storekeeper {

// A request to stop, with its reason, that threads can poll and wait for. Safe from any thread.
class StopSignal {
  public:
    StopSignal();

    // The first reason stays until Reset().
    void Raise(const std::string& reason) EXCLUDES(lock_);
    void Reset() EXCLUDES(lock_);

    std::optional<std::string> reason() const EXCLUDES(lock_);
    bool raised() const { return reason().has_value(); }

    // A descriptor for poll(2) that is readable while the signal is raised. -1 if the kernel
    // granted none; a waiting thread then notices the signal only when it checks raised().
    int fd() const { return fd_.get(); }

  private:
    android::base::unique_fd fd_;
    mutable Mutex lock_;
    std::optional<std::string> reason_ GUARDED_BY(lock_);
};

// Pauses the calling thread.
class Pauser {
  public:
    virtual ~Pauser() = default;
    // Returns after `time`, or at once if `stop` is or becomes raised.
    virtual void Pause(std::chrono::nanoseconds time, const StopSignal& stop) = 0;
};

class LinuxPauser : public Pauser {
  public:
    void Pause(std::chrono::nanoseconds time, const StopSignal& stop) override;
};

}  // namespace storekeeper
