// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "health/wear_sample.h"
#include "history/database.h"
#include "history/rows.h"

namespace storekeeper {

// Latency over a period, without its histogram. Times are absent if nothing was counted,
// percentiles also if the source has no histograms.
struct LatencyPoint {
    WallTime wall{};              // end of the period
    std::chrono::seconds span{};  // measured time
    LatencySource source = LatencySource::kDiskstats;
    IoKind kind = IoKind::kRead;
    uint64_t count = 0;
    std::optional<std::chrono::nanoseconds> mean;
    std::optional<std::chrono::nanoseconds> p50;
    std::optional<std::chrono::nanoseconds> p90;
    std::optional<std::chrono::nanoseconds> p99;
    std::optional<std::chrono::nanoseconds> p999;

    static LatencyPoint FromSample(const LatencySample& sample);
    bool operator==(const LatencyPoint&) const = default;
};

// A bounded summary of the history for dumps, charts and the ledger.
struct HistorySnapshot {
    static constexpr size_t kMaxWear = 200;
    static constexpr size_t kMaxPoints = 52;  // limit for each source and kind
    static constexpr size_t kMaxEvents = 32;
    // Period over which uid writes are added up, plus the days since it was read.
    static constexpr int64_t kUidDays = 28;
    // Number of days with writes whose uid rows are kept separately.
    static constexpr size_t kUidRowDays = 30;

    // Oldest first, thinned by EvenlyThinned().
    std::vector<WearSample> wear;
    // Sorted by source and kind, oldest first. Every sample belongs to one point; older samples
    // share points.
    std::vector<LatencyPoint> latency;
    // The newest point of each source and kind.
    std::vector<LatencyPoint> newest;
    // Sums of the largest writers, largest first, and of the others last; their day means nothing.
    // `uid_days` is the period, 0 if there is none.
    std::vector<UidRow> uids;
    int64_t uid_days = 0;
    int64_t uid_last_day = 0;
    // The largest writers of each day, oldest day first; UidRow::kOthers for the others.
    std::vector<UidRow> uid_rows;
    std::vector<HistoryEvent> events;  // oldest first
    // Messages for the owner: lost history, history in memory only, unreadable or dropped rows.
    std::vector<std::string> notes;

    // True if there are so many points that new rows would soon displace old ones.
    bool IsCrowded() const;
};

// Reads the stored rows, one histogram at a time: all together would take megabytes.
android::base::Result<HistorySnapshot> ReadSnapshot(Database* database);

// Adds rows that are not written yet.
HistorySnapshot WithPending(const HistorySnapshot& stored, const HistoryBatch& pending);

}  // namespace storekeeper
