// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "health/wear_sample.h"
#include "history/rows.h"

namespace storekeeper {

// What waits to be written, in memory: latency of a day added up, what a uid wrote on a day, too.
// Bounded: beyond, the oldest of its kind goes.
class HistoryBatch {
  public:
    // Ten days of three sources with four kinds each, were all by day.
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
    template <typename Rows>
    void Bound(Rows* rows, size_t most);

    std::deque<WearSample> wear_;
    std::map<int64_t, LatencyRow> latency_;
    std::map<std::pair<int64_t, uint32_t>, uint64_t> uids_;  // by day and uid
    std::deque<HistoryEvent> events_;
    uint64_t dropped_ = 0;
};

}  // namespace storekeeper
