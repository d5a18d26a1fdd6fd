// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <atomic>

#include "base/clock.h"

namespace storekeeper {

// Clocks whose time passes only by a call. All advance alike, except in suspend.
class FakeClock : public Clock {
  public:
    BootTime SinceBoot() const override { return BootTime(boot_.load()); }
    WallTime Wall() const override { return WallTime(wall_.load()); }

    std::chrono::nanoseconds Monotonic() const override {
        return SinceBoot() - std::chrono::nanoseconds(suspended_.load());
    }

    void Advance(std::chrono::nanoseconds time) {
        boot_ += time.count();
        wall_ += std::chrono::duration_cast<std::chrono::seconds>(time).count();
    }
    // Advances all clocks but CLOCK_MONOTONIC.
    void Suspend(std::chrono::nanoseconds time) {
        suspended_ += time.count();
        Advance(time);
    }
    // Reboots; this much time has passed in the new boot.
    void Reboot(BootTime since_boot) { boot_ = since_boot.count(); }
    void SetWall(WallTime wall) { wall_ = wall.count(); }

  private:
    // 2026-01-01 00:00:00 UTC, 100 s after boot.
    std::atomic<int64_t> boot_ = 100'000'000'000;
    std::atomic<int64_t> suspended_ = 0;
    std::atomic<int64_t> wall_ = 1'767'225'600;
};

}  // namespace storekeeper
