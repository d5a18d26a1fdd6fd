// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>

#include "base/stop_signal.h"

namespace storekeeper {

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
