// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/batch.h"

#include "history/retention.h"

namespace storekeeper {

template <typename Rows>
void HistoryBatch::Bound(Rows* rows, size_t most) {
    while (rows->size() > most) {
        rows->erase(rows->begin());
        ++dropped_;
    }
}

void HistoryBatch::Add(const WearSample& sample) {
    wear_.push_back(sample);
    Bound(&wear_, kMaxWear);
}

void HistoryBatch::Add(const LatencySample& sample) {
    Add(LatencyRow::Of(sample));
}

void HistoryBatch::Add(const LatencyRow& row) {
    const auto [there, is_new] = latency_.try_emplace(row.Key(), row);
    // Both were made by Histogram::Encode().
    if (!is_new && !there->second.Join(row).ok()) ++dropped_;
    Bound(&latency_, kMaxLatency);
}

void HistoryBatch::Add(const UidWrites& writes) {
    uint64_t& sum = uids_[{writes.day, writes.uid}];
    sum = SumUpToMax(sum, writes.written_bytes);
    Bound(&uids_, kMaxUids);
}

void HistoryBatch::Add(HistoryEvent event) {
    if (event.text.size() > kMaxText) event.text.resize(kMaxText);
    events_.push_back(std::move(event));
    Bound(&events_, kMaxEvents);
}

void HistoryBatch::Add(const HistoryBatch& newer) {
    for (const WearSample& sample : newer.wear_) Add(sample);
    for (const auto& [key, row] : newer.latency_) Add(row);
    for (const auto& [key, written] : newer.uids_) {
        Add(UidWrites{.day = key.first, .uid = key.second, .written_bytes = written});
    }
    for (const HistoryEvent& event : newer.events_) Add(event);
    dropped_ += newer.dropped_;
}

bool HistoryBatch::empty() const {
    return wear_.empty() && latency_.empty() && uids_.empty() && events_.empty();
}

bool HistoryBatch::IsNearlyFull() const {
    const auto nearly = [](size_t size, size_t most) { return size >= most / 4 * 3; };
    return nearly(wear_.size(), kMaxWear) || nearly(latency_.size(), kMaxLatency) ||
           nearly(uids_.size(), kMaxUids) || nearly(events_.size(), kMaxEvents);
}

std::vector<UidRow> HistoryBatch::Uids() const {
    std::map<int64_t, std::vector<UidRow>> days;
    for (const auto& [key, written] : uids_) {
        days[key.first].push_back({.day = key.first, .uid = key.second, .written_bytes = written});
    }
    std::vector<UidRow> all;
    for (const auto& [day, rows] : days) {
        for (const UidRow& row : LargestWriters(rows)) all.push_back(row);
    }
    return all;
}

}  // namespace storekeeper
