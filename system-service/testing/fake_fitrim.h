// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "maintenance/trim/fitrim.h"
#include "testing/fake_clock.h"
#include "testing/fake_syscalls.h"

namespace storekeeper {

// Calls FITRIM on the fake kernel's mounts. A stop during a call loses the answer, as the killed
// worker does.
class FakeFitrim : public FitrimRunner {
  public:
    FakeFitrim(FakeSyscalls& syscalls, const FakeClock& clock)
          : syscalls_(syscalls), clock_(clock) {}

    android::base::Result<std::unique_ptr<TrimSession>> Begin(android::base::unique_fd mount,
                                                              const std::string& path) override;

  private:
    FakeSyscalls& syscalls_;
    const FakeClock& clock_;
};

// A pause that ends at once and advances the clock.
class FakePauser : public Pauser {
  public:
    explicit FakePauser(FakeClock& clock) : clock_(clock) {}

    void Pause(std::chrono::nanoseconds time, const StopSignal& stop) override;

    std::vector<std::chrono::nanoseconds> pauses;
    // Runs during each pause.
    std::function<void()> during = [] {};

  private:
    FakeClock& clock_;
};

}  // namespace storekeeper
