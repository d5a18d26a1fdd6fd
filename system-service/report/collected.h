// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <json/value.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "health/alerts.h"
#include "health/forecast.h"
#include "health/ledger.h"
#include "history/history.h"
#include "history/snapshot.h"
#include "latency/latency_sample.h"
#include "mounts/mount_audit.h"
#include "writers/budget.h"
#include "writers/cost.h"
#include "writers/writers_config.h"

namespace storekeeper {

// Where latencies come from on this device.
struct LatencySourceState {
    LatencySource source = LatencySource::kDiskstats;
    std::string why;  // it is not on; "" when it is
};

// What was written from one gathering to the next, on its way to the flash; what was not counted is
// absent.
struct WritePath {
    std::string filesystem;        // of /data, as in mountinfo
    std::chrono::seconds span{};   // 0 before the second gathering
    std::optional<uint64_t> uids;  // by all uids: /proc/uid_io/stats
    std::optional<uint64_t> filesystem_device;
    std::optional<uint64_t> disk;  // with what else is on it
    std::string not_counted;       // why these two are absent, WhyNotCounted(); "" otherwise
};

// What a uid may write to the flash in a day, and who has written more.
struct BudgetReport {
    WritersConfig limits;
    std::vector<Offender> offenders;  // those over today first
};

struct LatencyReport {
    std::vector<LatencySourceState> sources;
    std::vector<LatencyPoint> now;     // the newest of each source and kind
    std::vector<LatencyPoint> series;  // oldest first
    std::vector<UidCost> uid_writes;   // the largest first
    BudgetReport budgets;
    std::string names_problem;  // why uids have no names; "" when they have
    WritePath write_path;
};

// "latency" of docs/dump.schema.json, with the names of apps when `names`.
Json::Value LatencyToJson(const LatencyReport& report, bool names);

// The same for people.
std::string LatencyText(const LatencyReport& report, bool names);

// What was gathered last, for dumps.
struct Collected {
    Ledger ledger;
    // Written by the file system of /data since it was made; absent where that is not counted.
    std::optional<uint64_t> lifetime_bytes;
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

// One line: bytes written in all and a day, or why they are not known. "" before the first sample.
std::string WrittenText(const Collected& collected);

}  // namespace storekeeper
