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
#include "latency/uid_io.h"

namespace storekeeper {

// The first of the `days` days, counted from the epoch, that a day lies in. Longer spans that are
// multiples hold shorter ones whole.
int64_t FirstDayOf(int64_t day, int64_t days);

// What happened to the device, or to the history itself: kind as in docs/dump.schema.json.
struct HistoryEvent {
    std::string kind;
    WallTime wall{};
    std::string text;

    bool operator==(const HistoryEvent&) const = default;
};

// Latency of some days in a row, in the form that is stored.
struct LatencyRow {
    int64_t day = 0;  // the first
    int64_t days = 1;
    LatencySource source = LatencySource::kDiskstats;
    IoKind kind = IoKind::kRead;
    WallTime wall{};              // when its last sample ended
    std::chrono::seconds span{};  // of its samples together
    uint64_t count = 0;
    std::chrono::nanoseconds total{};
    std::string histogram;  // Histogram::Encode()

    // In the row of its day; of its week where each request is counted, for these histograms are
    // several times as long as all others together.
    static LatencyRow Of(const LatencySample& sample);
    android::base::Result<LatencySample> Sample() const;
    // Adds the other to this one, which keeps its days. An error when one of the histograms cannot
    // be read; then nothing is changed.
    android::base::Result<void> Join(const LatencyRow& other);
    // Of which day, source and kind: rows are kept in this order.
    int64_t Key() const;

    bool operator==(const LatencyRow&) const = default;
};

// What a uid wrote in some days in a row.
struct UidRow {
    // Stands for all uids that are not distinguished: (uid_t)-1, which is no uid.
    static constexpr uint32_t kOthers = UINT32_MAX;

    int64_t day = 0;
    int64_t days = 1;
    uint32_t uid = 0;
    uint64_t written_bytes = 0;
    uint64_t fsyncs = 0;
    uint64_t device_bytes = 0;  // of UidWrites
    uint64_t span_s = 0;        // likewise; without meaning of kOthers

    // Adds what the other wrote; uid and days stay.
    void Join(const UidRow& other);

    bool operator==(const UidRow&) const = default;
};

// Uids distinguished in a day, week or month; the others are one.
inline constexpr size_t kUidsKept = 10;

// The largest writers among rows of one time, by bytes on the device, and the sum of the others as
// UidRow::kOthers. Rows of the same uid are added up.
std::vector<UidRow> LargestWriters(const std::vector<UidRow>& rows);

// The same for each day of the rows.
std::vector<UidRow> LargestWritersByDay(const std::vector<UidRow>& rows);

// What waits to be written, in memory: latency of a day added up, what a uid wrote on a day, too.
// Bounded: beyond, the oldest of its kind goes.
class HistoryBatch {
  public:
    // Fifteen days of two sources with four kinds each.
    static constexpr size_t kMaxLatency = 120;
    // Ten days of 40 uids.
    static constexpr size_t kMaxUids = 400;
    static constexpr size_t kMaxWear = 32;
    static constexpr size_t kMaxEvents = 32;
    // Of an event's text, bytes.
    static constexpr size_t kMaxText = 256;

    void Add(const WearSample& sample);
    void Add(const LatencySample& sample);
    void Add(const UidWrites& writes);
    void Add(HistoryEvent event);
    // Adds what another batch has, which is newer.
    void Add(const HistoryBatch& newer);

    bool empty() const;
    // Three quarters of what fits of a kind are there.
    bool IsNearlyFull() const;
    // Rows that had to go.
    uint64_t dropped() const { return dropped_; }

    const std::deque<WearSample>& wear() const { return wear_; }
    // By day, source and kind.
    const std::map<int64_t, LatencyRow>& latency() const { return latency_; }
    // The largest of each day, the others of the day together.
    std::vector<UidRow> Uids() const;
    const std::deque<HistoryEvent>& events() const { return events_; }

  private:
    void Add(const LatencyRow& row);
    void Add(const UidRow& row);
    template <typename Rows>
    void Bound(Rows* rows, size_t most);

    std::deque<WearSample> wear_;
    std::map<int64_t, LatencyRow> latency_;
    std::map<std::pair<int64_t, uint32_t>, UidRow> uids_;  // by day and uid
    std::deque<HistoryEvent> events_;
    uint64_t dropped_ = 0;
};

}  // namespace storekeeper
