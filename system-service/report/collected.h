// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "health/alerts.h"
#include "health/forecast.h"
#include "health/ledger.h"
#include "history/history.h"
#include "history/snapshot.h"
#include "latency/latency_sample.h"
#include "mounts/mount_audit.h"
#include "writers/uid_name.h"

namespace storekeeper {

// Where latencies come from on this device.
struct LatencySourceState {
    LatencySource source = LatencySource::kDiskstats;
    std::string why;  // it is not on; "" when it is
};

// Who writes how much, and what that costs of the chip's life.
struct UidCost {
    uint32_t uid = 0;
    UidKind kind = UidKind::kSystem;
    // As the package service has it; dumps show it to who asks for it.
    std::optional<std::string> name;
    uint64_t bytes_per_day = 0;
    // Absent while it is not known what the chip bears.
    std::optional<double> life_pct_per_year;
};

struct LatencyReport {
    std::vector<LatencySourceState> sources;
    std::vector<LatencyPoint> now;     // the newest of each source and kind
    std::vector<LatencyPoint> series;  // oldest first
    std::vector<UidCost> uid_writes;   // the largest first
    std::string names_problem;         // why they have no names; "" when they have
};

// `bytes_per_step`: written for each 10 % of life, when that is known. The largest `most` first.
std::vector<UidCost> CostOfUids(std::span<const std::pair<uint32_t, uint64_t>> bytes_per_day,
                                std::optional<uint64_t> bytes_per_step, size_t most);

// "latency" of docs/dump.schema.json, with the names of apps when `names`.
Json::Value LatencyToJson(const LatencyReport& report, bool names);

// The same for people.
std::string LatencyText(const LatencyReport& report, bool names);

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

// "ledger" of docs/dump.schema.json; the alerts that stand. Its series has at most some 300 points:
// all at which the wear moved, and others evenly between them.
Json::Value LedgerToJson(const Collected& collected);

// The same for people.
std::string LedgerText(const Collected& collected);

}  // namespace storekeeper
