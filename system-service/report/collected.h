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

// A source of latency figures and its state.
struct LatencySourceState {
    LatencySource source = LatencySource::kDiskstats;
    std::string why;  // reason why it is off; "" if it is on
};

// Bytes written between two gatherings, counted at each level down to the flash; uncounted levels
// are absent.
struct WritePath {
    std::string filesystem;        // type of /data's file system, as in mountinfo
    std::chrono::seconds span{};   // 0 before the second gathering
    std::optional<uint64_t> uids;  // sum of all uids: /proc/uid_io/stats
    std::optional<uint64_t> filesystem_device;
    std::optional<uint64_t> disk;  // whole disk, other partitions included
    std::string not_counted;  // reason why these two are absent, WhyWritesNotCounted(), else ""
};

// Daily budgets of flash writes, and the uids that exceeded them.
struct BudgetReport {
    WritersConfig limits;
    std::vector<Offender> offenders;  // offenders of today first
};

struct LatencyReport {
    std::vector<LatencySourceState> sources;
    std::vector<LatencyPoint> now;     // newest point of each source and kind
    std::vector<LatencyPoint> series;  // oldest first
    std::vector<UidCost> uid_writes;   // largest writers first
    BudgetReport budgets;
    std::string names_problem;  // reason why uids have no names; "" if they have
    WritePath write_path;
};

// "latency" of docs/dump.schema.json; includes names of apps if `names` is true.
Json::Value LatencyToJson(const LatencyReport& report, bool names);

std::string LatencyText(const LatencyReport& report, bool names);

// Results of the last gathering, for dumps.
struct Collected {
    Ledger ledger;
    // Bytes that the file system of /data has written since mkfs; absent if not counted.
    std::optional<uint64_t> lifetime_bytes;
    Forecast forecast;
    AlertState alerts;
    LatencyReport latency;
    MountAuditInputs mounts;
    std::vector<HistoryEvent> events;  // events of the history itself, such as a loss
    // messages for the owner, such as a history that cannot be stored
    std::vector<std::string> notes;
};

// "ledger" of docs/dump.schema.json, with the current alerts. Its series has at most about 300
// points: all at which the wear moved, and others spread evenly.
Json::Value LedgerToJson(const Collected& collected);

std::string LedgerText(const Collected& collected);

// One line: total bytes written and bytes per day, or the reason why they are unknown. "" before
// the first sample.
std::string WrittenText(const Collected& collected);

}  // namespace storekeeper
