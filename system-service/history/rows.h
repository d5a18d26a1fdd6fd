// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "health/wear_sample.h"
#include "latency/latency_sample.h"

namespace storekeeper {

// First day of the period of `days` days that contains `day`, counted from the epoch. Periods whose
// lengths are multiples contain the shorter ones completely.
int64_t FirstDayOf(int64_t day, int64_t days);

// An event of the device or of the history itself; docs/dump.schema.json lists the kinds.
struct HistoryEvent {
    std::string kind;
    WallTime wall{};
    std::string text;

    bool operator==(const HistoryEvent&) const = default;
};

// Latency of consecutive days, in its stored form.
struct LatencyRow {
    int64_t day = 0;  // the first day
    int64_t days = 1;
    LatencySource source = LatencySource::kDiskstats;
    IoKind kind = IoKind::kRead;
    WallTime wall{};              // end of its last sample
    std::chrono::seconds span{};  // total of its samples
    uint64_t count = 0;
    std::chrono::nanoseconds total{};
    std::string histogram;  // Histogram::Encode()

    // A row of the one day on which the sample ended.
    static LatencyRow FromSample(const LatencySample& sample);
    android::base::Result<LatencySample> Sample() const;
    // Adds another row; this one keeps its days. Fails without a change if one of the histograms is
    // unreadable.
    android::base::Result<void> Join(const LatencyRow& other);
    // Key of day, source and kind, which is the order of stored rows.
    int64_t Key() const;

    bool operator==(const LatencyRow&) const = default;
};

// A uid's writes on consecutive days.
struct UidRow {
    // Stands for all uids without a row of their own; (uid_t)-1 is no valid uid.
    static constexpr uint32_t kOthers = UINT32_MAX;

    int64_t day = 0;  // the first day, since the epoch, UTC
    int64_t days = 1;
    uint32_t uid = 0;
    uint64_t written_bytes = 0;
    uint64_t fsyncs = 0;
    // Its share of the device's writes: AttributeBytes() of writers/cost.h.
    uint64_t device_bytes = 0;
    // Seconds of the covered time, which ends on the last day; meaningless for kOthers.
    uint64_t span_s = 0;

    // Adds the writes of another row; uid and days stay.
    void Join(const UidRow& other);

    bool operator==(const UidRow&) const = default;
};

// Number of uids with a row of their own per day, week or month; the others share one.
inline constexpr size_t kUidsKept = 10;

// The largest writers among rows of the same period, by bytes on the device, and the sum of the
// others as UidRow::kOthers. Rows of the same uid are added up.
std::vector<UidRow> LargestWriters(const std::vector<UidRow>& rows);

std::vector<UidRow> LargestWritersByDay(const std::vector<UidRow>& rows);

// Rows in memory that wait to be written. Latency and uid writes are added up by day. Each kind is
// bounded; beyond its bound the oldest row is dropped.
class HistoryBatch {
  public:
    // Fifteen days of two sources with four kinds each.
    static constexpr size_t kMaxLatency = 120;
    // Ten days of 40 uids.
    static constexpr size_t kMaxUids = 400;
    static constexpr size_t kMaxWear = 32;
    static constexpr size_t kMaxEvents = 32;
    // Limit of an event's text, in bytes.
    static constexpr size_t kMaxText = 256;

    void Add(const WearSample& sample);
    void Add(const LatencySample& sample);
    void Add(const UidRow& row);
    void Add(HistoryEvent event);
    // Adds the rows of a newer batch.
    void Add(const HistoryBatch& newer);

    bool empty() const;
    // True if one kind has reached three quarters of its bound.
    bool IsNearlyFull() const;
    // Number of rows dropped at a bound.
    uint64_t dropped() const { return dropped_; }

    const std::deque<WearSample>& wear() const { return wear_; }
    // Ordered by day, source and kind.
    const std::map<int64_t, LatencyRow>& latency() const { return latency_; }
    // LargestWritersByDay() of the uid rows.
    std::vector<UidRow> Uids() const;
    const std::deque<HistoryEvent>& events() const { return events_; }

  private:
    void Add(const LatencyRow& row);
    template <typename Rows>
    void DropBeyond(Rows* rows, size_t most);

    std::deque<WearSample> wear_;
    std::map<int64_t, LatencyRow> latency_;
    std::map<std::pair<int64_t, uint32_t>, UidRow> uids_;  // keys: day and uid
    std::deque<HistoryEvent> events_;
    uint64_t dropped_ = 0;
};

}  // namespace storekeeper
