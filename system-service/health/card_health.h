// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/device_hal.h"
#include "base/file_reader.h"
#include "base/mutex.h"
#include "health/ext_csd.h"
#include "health/forecast.h"
#include "health/storage_health.h"
#include "health/verdict.h"

namespace storekeeper {

// All facts about the chip's health.
struct HealthReport {
    StorageHealth storage;
    std::optional<ExtCsd> ext_csd;  // delivered by storekeeper_extcsd in this boot
    // Sources of wear figures, best first: the delivered register, the health HAL, the kernel.
    std::vector<WearSource> sources;
    // Name of the source behind the verdict: the first one with a life time, else with any figure.
    std::string wear_source;
    WearReading wear;
    Verdict verdict;
};

HealthReport MakeHealthReport(StorageHealth storage, const std::optional<ExtCsd>& ext_csd);

// Judges the wear again, with the forecast. Without any wear figure it changes nothing.
void AddForecast(const Forecast& forecast, HealthReport* report);

// The last health report of the chip below /data. Every method may be called from any thread.
class CardHealth {
  public:
    // Reads the kernel's figures but not the health HAL, so that the constructor does not wait.
    // `hal` may be null; both must outlive this object.
    CardHealth(const FileReader& files, DeviceHal* hal);

    // The last report; does not access the card.
    HealthReport Last() const EXCLUDES(lock_);
    // Reads all sources. Waits for the health HAL at most for its patience.
    HealthReport Read() EXCLUDES(lock_);
    // Reads all sources unless that has happened, so that later dumps include the health HAL's
    // figures without waiting for it.
    void ReadOnce() EXCLUDES(lock_);

    // Accepts the register that storekeeper_extcsd read. Refuses an implausible one, or one whose
    // sector count differs from the card's.
    android::base::Result<void> SetExtCsd(std::span<const uint8_t> bytes) EXCLUDES(lock_);

  private:
    StorageHealth ReadSources(DeviceHal* hal) const;

    const FileReader& files_;
    DeviceHal* const hal_;
    mutable Mutex lock_;
    StorageHealth storage_ GUARDED_BY(lock_);
    // True once the health HAL has been queried.
    bool asked_ GUARDED_BY(lock_) = false;
    std::optional<ExtCsd> ext_csd_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
