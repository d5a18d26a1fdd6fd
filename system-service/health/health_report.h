// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <string>

#include "health/ext_csd.h"
#include "health/mmc_sysfs.h"
#include "health/verdict.h"

namespace storekeeper {

// Everything known of the card's health, from whichever source tells most.
struct HealthReport {
    MmcHealth mmc;
    std::optional<ExtCsd> ext_csd;  // as handed in by storekeeper_extcsd, in this boot
    std::string wear_source;        // "sysfs" or "ext_csd"
    Verdict verdict;
};

HealthReport MakeHealthReport(MmcHealth mmc, const std::optional<ExtCsd>& ext_csd);

}  // namespace storekeeper
