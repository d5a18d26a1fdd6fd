// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "maintenance/policy/readings.h"

namespace storekeeper {

// What decides whether the owner would notice maintenance now. A failure to read is part of the
// answer, so that a report can name it.
class MaintenanceInputs {
  public:
    virtual ~MaintenanceInputs() = default;
    // `watch_input`: whether input devices are worth having open. Until they are, the time of the
    // last input is not known. `wait`: for others who know, as a decision does.
    // Without, for an observer: what they said last is taken, and what the next decision measures
    // stays as it is.
    virtual MaintenanceReadings Read(bool watch_input, bool wait) = 0;
};

}  // namespace storekeeper
