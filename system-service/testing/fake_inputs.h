// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "base/mutex.h"
#include "maintenance/inputs/system_inputs.h"

namespace storekeeper {

// A device that reports the given readings. By default it is untouched since boot, on a charger
// with a full battery.
class FakeInputs : public MaintenanceInputs {
  public:
    MaintenanceReadings Read(bool watch_input, bool /* wait */) override {
        MutexLock guard(lock_);
        watched_ = watch_input;
        return readings_;
    }

    void Set(const MaintenanceReadings& readings) {
        MutexLock guard(lock_);
        readings_ = readings;
    }

    // The `watch_input` of the last Read().
    bool watched() {
        MutexLock guard(lock_);
        return watched_;
    }

    static MaintenanceReadings Untouched() {
        return {.power = PowerReading{.has_battery = true, .percent = 100, .on_charger = true},
                .interaction = InteractionReading{.screen_on = false, .last_input = BootTime(0)},
                .battery_heat = 250};
    }

  private:
    Mutex lock_;
    bool watched_ GUARDED_BY(lock_) = false;
    MaintenanceReadings readings_ GUARDED_BY(lock_) = Untouched();
};

}  // namespace storekeeper
