// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/rows.h"

#include <algorithm>
#include <tuple>

#include "base/try.h"

namespace storekeeper {

using android::base::Result;

int64_t FirstDayOf(int64_t day, int64_t days) {
    // Rounds down for negative days as well, because a wrong clock may be before 1970.
    return day - (day % days + days) % days;
}

LatencyRow LatencyRow::FromSample(const LatencySample& sample) {
    return {.day = DayOf(sample.wall),
            .days = 1,
            .source = sample.source,
            .kind = sample.kind,
            .wall = sample.wall,
            .span = sample.span,
            .count = sample.count,
            .total = sample.total,
            .histogram = sample.histogram.Encode()};
}

Result<LatencySample> LatencyRow::Sample() const {
    LatencySample sample{.wall = wall,
                         .span = span,
                         .source = source,
                         .kind = kind,
                         .count = count,
                         .total = total};
    sample.histogram = TRY(Histogram::Decode(histogram));
    return sample;
}

Result<void> LatencyRow::Join(const LatencyRow& other) {
    LatencySample sum = TRY(Sample());
    sum.Merge(TRY(other.Sample()));
    LatencyRow row = FromSample(sum);
    row.day = day;
    row.days = days;
    *this = std::move(row);
    return {};
}

int64_t LatencyRow::Key() const {
    constexpr int64_t kSources = 4;
    constexpr int64_t kKinds = 4;
    return (day * kSources + static_cast<int64_t>(source)) * kKinds + static_cast<int64_t>(kind);
}

void UidRow::Join(const UidRow& other) {
    written_bytes = SumUpToMax(written_bytes, other.written_bytes);
    fsyncs = SumUpToMax(fsyncs, other.fsyncs);
    device_bytes = SumUpToMax(device_bytes, other.device_bytes);
    span_s = SumUpToMax(span_s, other.span_s);
}

std::vector<UidRow> LargestWriters(const std::vector<UidRow>& rows) {
    std::map<uint32_t, UidRow> by_uid;
    for (const UidRow& row : rows) {
        const auto [sum, is_new] = by_uid.try_emplace(row.uid, row);
        if (!is_new) sum->second.Join(row);
    }
    std::vector<UidRow> sums;
    for (const auto& [uid, row] : by_uid) sums.push_back(row);
    std::sort(sums.begin(), sums.end(), [](const UidRow& a, const UidRow& b) {
        return std::tuple(a.uid == UidRow::kOthers, b.device_bytes, b.written_bytes, a.uid) <
               std::tuple(b.uid == UidRow::kOthers, a.device_bytes, a.written_bytes, b.uid);
    });
    std::vector<UidRow> largest;
    for (UidRow& row : sums) {
        if (largest.size() > kUidsKept) {
            largest.back().Join(row);
            continue;
        }
        if (largest.size() == kUidsKept) row.uid = UidRow::kOthers;
        largest.push_back(row);
    }
    return largest;
}

std::vector<UidRow> LargestWritersByDay(const std::vector<UidRow>& rows) {
    std::map<int64_t, std::vector<UidRow>> days;
    for (const UidRow& row : rows) days[row.day].push_back(row);
    std::vector<UidRow> all;
    for (const auto& [day, of_day] : days) {
        for (const UidRow& row : LargestWriters(of_day)) all.push_back(row);
    }
    return all;
}

template <typename Rows>
void HistoryBatch::DropBeyond(Rows* rows, size_t most) {
    while (rows->size() > most) {
        rows->erase(rows->begin());
        ++dropped_;
    }
}

void HistoryBatch::Add(const WearSample& sample) {
    wear_.push_back(sample);
    DropBeyond(&wear_, kMaxWear);
}

void HistoryBatch::Add(const LatencySample& sample) {
    Add(LatencyRow::FromSample(sample));
}

void HistoryBatch::Add(const LatencyRow& row) {
    const auto [there, is_new] = latency_.try_emplace(row.Key(), row);
    // Join() can fail for a foreign histogram only; both are from Histogram::Encode().
    if (!is_new && !there->second.Join(row).ok()) ++dropped_;
    DropBeyond(&latency_, kMaxLatency);
}

void HistoryBatch::Add(const UidRow& row) {
    const auto [sum, is_new] = uids_.try_emplace({row.day, row.uid}, row);
    if (!is_new) sum->second.Join(row);
    DropBeyond(&uids_, kMaxUids);
}

void HistoryBatch::Add(HistoryEvent event) {
    if (event.text.size() > kMaxText) event.text.resize(kMaxText);
    events_.push_back(std::move(event));
    DropBeyond(&events_, kMaxEvents);
}

void HistoryBatch::Add(const HistoryBatch& newer) {
    for (const WearSample& sample : newer.wear_) Add(sample);
    for (const auto& [key, row] : newer.latency_) Add(row);
    for (const auto& [key, row] : newer.uids_) Add(row);
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
    std::vector<UidRow> rows;
    for (const auto& [key, row] : uids_) rows.push_back(row);
    return LargestWritersByDay(rows);
}

}  // namespace storekeeper
