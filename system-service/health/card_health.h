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

// Everything known of the chip's health.
struct HealthReport {
    StorageHealth storage;
    std::optional<ExtCsd> ext_csd;  // as handed in by storekeeper_extcsd, in this boot
    // Who reports the wear, the best first: the register that was handed in, the health HAL, the
    // kernel.
    std::vector<WearSource> sources;
    // The one of them that the verdict is of: the first that reports something.
    std::string wear_source;
    WearReading wear;
    Verdict verdict;
};

HealthReport MakeHealthReport(StorageHealth storage, const std::optional<ExtCsd>& ext_csd);

// Judges with the direction that the wear takes, too. A wear that could not be read stays so.
void AddForecast(const Forecast& forecast, HealthReport* report);

// What the chip below /data last reported of itself. Every method may be called from any thread.
class CardHealth {
  public:
    // Reads it without the health HAL: nothing waits for others. `hal` may be null; both must
    // outlive this.
    CardHealth(const FileReader& files, DeviceHal* hal);

    // The last one, without touching the card.
    HealthReport Last() const EXCLUDES(lock_);
    // Read anew. Waits for the health HAL no longer than that is given.
    HealthReport Read() EXCLUDES(lock_);
    // So that dumps have the HAL's word, too, without ever waiting for it: reads it if nobody has.
    void ReadOnce() EXCLUDES(lock_);

    // Takes the register as storekeeper_extcsd read it. Refuses what is no EXT_CSD or belongs to
    // another card.
    android::base::Result<void> SetExtCsd(std::span<const uint8_t> bytes) EXCLUDES(lock_);

  private:
    StorageHealth ReadSources(DeviceHal* hal) const;

    const FileReader& files_;
    DeviceHal* const hal_;
    mutable Mutex lock_;
    StorageHealth storage_ GUARDED_BY(lock_);
    // Whether the health HAL was asked once.
    bool asked_ GUARDED_BY(lock_) = false;
    std::optional<ExtCsd> ext_csd_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
