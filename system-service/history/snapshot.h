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

// Latency over a time without its histogram. Times are absent when nothing was counted, percentiles
// also for a source that has no histograms.
struct LatencyPoint {
    WallTime wall{};              // when the time ended
    std::chrono::seconds span{};  // measured for so long
    LatencySource source = LatencySource::kDiskstats;
    IoKind kind = IoKind::kRead;
    uint64_t count = 0;
    std::optional<std::chrono::nanoseconds> mean;
    std::optional<std::chrono::nanoseconds> p50;
    std::optional<std::chrono::nanoseconds> p90;
    std::optional<std::chrono::nanoseconds> p99;
    std::optional<std::chrono::nanoseconds> p999;

    static LatencyPoint Of(const LatencySample& sample);
    bool operator==(const LatencyPoint&) const = default;
};

struct UidTotal {
    uint32_t uid = 0;  // UidRow::kOthers for those not distinguished
    uint64_t written_bytes = 0;
    uint64_t fsyncs = 0;
    uint64_t device_bytes = 0;  // of UidWrites

    bool operator==(const UidTotal&) const = default;
};

// A picture of the history that fits into memory, for dumps, charts and the ledger.
struct HistorySnapshot {
    static constexpr size_t kMaxWear = 200;
    static constexpr size_t kMaxPoints = 52;  // of a source and kind
    static constexpr size_t kMaxEvents = 32;
    // Uid writes are added up over so many days, and those since.
    static constexpr int64_t kUidDays = 28;
    // Days, the last that have any, of which uid writes are kept one by one.
    static constexpr size_t kUidRowDays = 30;

    // Oldest first, every turn of it (IsTurn).
    std::vector<WearSample> wear;
    // By source and kind, oldest first. Every sample is in one point; older ones are put together,
    // some to a point.
    std::vector<LatencyPoint> latency;
    // The newest day of each source and kind.
    std::vector<LatencyPoint> newest;
    // The largest first, the others together last; over `uid_days` days, 0 when there are none.
    std::vector<UidTotal> uids;
    int64_t uid_days = 0;
    int64_t uid_last_day = 0;
    // Of each day the largest, oldest first; UidRow::kOthers for those not distinguished.
    std::vector<UidRow> uid_rows;
    std::vector<HistoryEvent> events;  // oldest first
    // What an owner should know: history lost, kept in memory only, rows left out.
    std::vector<std::string> notes;
    // Nothing is written down at present; the notes say why.
    bool memory_only = false;

    // So many points that those of rows to come would take the place of old ones.
    bool IsCrowded() const;
};

// Reads the stored rows, histogram by histogram: all of them together would be megabytes.
android::base::Result<HistorySnapshot> ReadSnapshot(Database* database);

// The same with what is not written yet.
HistorySnapshot WithPending(const HistorySnapshot& stored, const HistoryBatch& pending);

}  // namespace storekeeper
