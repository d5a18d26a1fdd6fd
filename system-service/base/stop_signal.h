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

// A request to stop, with its reason, that a thread can look at and wait for. From any thread.
class StopSignal {
  public:
    StopSignal();

    // The first reason stays until Reset().
    void Raise(const std::string& reason) EXCLUDES(lock_);
    void Reset() EXCLUDES(lock_);

    std::optional<std::string> reason() const EXCLUDES(lock_);
    bool raised() const { return reason().has_value(); }

    // Readable while raised, for poll(2). -1 when the kernel gave no descriptor: then whoever waits
    // sees the signal only when it looks.
    int fd() const { return fd_.get(); }

  private:
    android::base::unique_fd fd_;
    mutable Mutex lock_;
    std::optional<std::string> reason_ GUARDED_BY(lock_);
};

// Lets time pass on the calling thread.
class Pauser {
  public:
    virtual ~Pauser() = default;
    // Returns after `time`, or at once when `stop` is or becomes raised.
    virtual void Pause(std::chrono::nanoseconds time, const StopSignal& stop) = 0;
};

class LinuxPauser : public Pauser {
  public:
    void Pause(std::chrono::nanoseconds time, const StopSignal& stop) override;
};

}  // namespace storekeeper
