// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <string>
#include <vector>

#include "health/alerts.h"
#include "health/forecast.h"
#include "health/ledger.h"
#include "history/history.h"
#include "mounts/mount_audit.h"
#include "report/latency_report.h"

namespace storekeeper {

// What was gathered last, for dumps.
struct Collected {
    Ledger ledger;
    Forecast forecast;
    AlertState alerts;
    LatencyReport latency;
    MountAuditInputs mounts;
    std::vector<HistoryEvent> events;  // of the history itself: that some was lost
    std::vector<std::string> notes;    // what an owner should know: history not written down
};

}  // namespace storekeeper
