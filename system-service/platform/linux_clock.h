// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "platform/clock.h"

namespace storekeeper {

class LinuxClock : public Clock {
  public:
    BootTime SinceBoot() const override;
    WallTime Wall() const override;
    std::chrono::nanoseconds Monotonic() const override;
};

}  // namespace storekeeper
