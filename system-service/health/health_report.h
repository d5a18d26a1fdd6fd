// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <string>
#include <vector>

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

}  // namespace storekeeper
