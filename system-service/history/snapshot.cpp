// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/snapshot.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "base/try.h"
#include "history/retention.h"
#include "history/tables.h"

namespace storekeeper {
namespace {

using android::base::Result;

using SeriesKey = std::pair<LatencySource, IoKind>;

// The newest stored rows of a series get a point each, older ones share points. The remaining
// points up to kMaxPoints are for rows of later flushes, until everything is read again, and for
// waiting rows.
constexpr size_t kSinglePoints = 10;
constexpr size_t kSharedPoints = 16;
constexpr size_t kWaitingPoints = HistoryBatch::kMaxLatency / 12;
static_assert(kSinglePoints + kSharedPoints + kWaitingPoints < HistorySnapshot::kMaxPoints);
constexpr int64_t kNoDay = INT64_MAX >> 8;

using Points = std::map<SeriesKey, std::vector<LatencyPoint>>;

struct Series {
    size_t rows = 0;
    size_t read = 0;
    // The next shared point, a sum of `summed` rows.
    LatencySample sum;
    size_t summed = 0;

    size_t PerPoint() const {
        const size_t old = rows > kSinglePoints ? rows - kSinglePoints : 0;
        return std::max<size_t>((old + kSharedPoints - 1) / kSharedPoints, 1);
    }
};

void AddTo(Series* series, const LatencySample& sample) {
    if (series->summed == 0) {
        series->sum = sample;
    } else {
        series->sum.Merge(sample);
    }
    ++series->summed;
}

void EndPoint(Series* series, std::vector<LatencyPoint>* points) {
    if (series->summed == 0) return;
    points->push_back(LatencyPoint::FromSample(series->sum));
    series->summed = 0;
}

template <typename Rows>
void KeepLast(Rows* rows, size_t most) {
    if (rows->size() > most) {
        rows->erase(rows->begin(), rows->end() - static_cast<ptrdiff_t>(most));
    }
}

void SetLatency(Points all, HistorySnapshot* snapshot) {
    snapshot->latency.clear();
    snapshot->newest.clear();
    for (auto& series : all) {
        std::vector<LatencyPoint>& points = series.second;
        if (points.empty()) continue;
        KeepLast(&points, HistorySnapshot::kMaxPoints);
        snapshot->latency.insert(snapshot->latency.end(), points.begin(), points.end());
        snapshot->newest.push_back(points.back());
    }
}

Result<void> ReadLatency(HistoryTables* tables, HistorySnapshot* snapshot) {
    std::map<SeriesKey, Series> all;
    Points points;
    for (const auto& [key, rows] : TRY(tables->LatencyCounts())) all[key].rows = rows;
    uint64_t unreadable = 0;
    TRY(tables->ForEachLatency(0, kNoDay, [&](const LatencyRow& row) -> Result<void> {
        const SeriesKey key(row.source, row.kind);
        Series& series = all[key];
        const Result<LatencySample> sample = row.Sample();
        if (sample.ok()) {
            AddTo(&series, *sample);
        } else {
            ++unreadable;
        }
        ++series.read;
        const bool single = series.read + kSinglePoints >= series.rows;
        if (single || series.summed >= series.PerPoint()) EndPoint(&series, &points[key]);
        return {};
    }));
    for (auto& [key, series] : all) EndPoint(&series, &points[key]);
    SetLatency(std::move(points), snapshot);
    if (unreadable != 0) {
        snapshot->notes.push_back("history: " + std::to_string(unreadable) +
                                  " histograms cannot be read");
    }
    return {};
}

void ThinWear(std::vector<WearSample>* wear) {
    const std::vector<size_t> places = EvenlyThinned(*wear, HistorySnapshot::kMaxWear);
    if (places.size() == wear->size()) return;
    std::vector<WearSample> kept;
    kept.reserve(places.size());
    for (const size_t place : places) kept.push_back(std::move((*wear)[place]));
    *wear = std::move(kept);
}

void SetUidRows(const std::vector<UidRow>& rows, HistorySnapshot* snapshot) {
    std::vector<UidRow> by_day = LargestWritersByDay(rows);
    size_t days = 0;
    auto first = by_day.end();
    for (; first != by_day.begin(); --first) {
        const auto before = std::prev(first);
        const bool new_day = first == by_day.end() || before->day != first->day;
        if (new_day && ++days > HistorySnapshot::kUidRowDays) break;
    }
    by_day.erase(by_day.begin(), first);
    snapshot->uid_rows = std::move(by_day);
}

Result<void> ReadUids(HistoryTables* tables, HistorySnapshot* snapshot) {
    std::vector<UidRow> rows;
    TRY(tables->ForEachUid(1, kNoDay, [&](const UidRow& row) -> Result<void> {
        rows.push_back(row);
        return {};
    }));
    if (rows.empty()) return {};
    SetUidRows(rows, snapshot);
    const int64_t newest = rows.back().day;
    std::erase_if(rows, [newest](const UidRow& row) {
        return row.day + HistorySnapshot::kUidDays <= newest;
    });
    snapshot->uids = LargestWriters(rows);
    snapshot->uid_last_day = newest;
    snapshot->uid_days = newest - rows.front().day + 1;
    return {};
}

void AddLatency(const HistoryBatch& pending, HistorySnapshot* snapshot) {
    Points all;
    for (const LatencyPoint& point : snapshot->latency) {
        all[{point.source, point.kind}].push_back(point);
    }
    for (const auto& [key, row] : pending.latency()) {
        const Result<LatencySample> sample = row.Sample();
        if (!sample.ok()) continue;  // cannot happen: the batch encoded it
        all[{row.source, row.kind}].push_back(LatencyPoint::FromSample(*sample));
    }
    SetLatency(std::move(all), snapshot);
}

void AddUids(const HistoryBatch& pending, HistorySnapshot* snapshot) {
    std::vector<UidRow> rows = pending.Uids();
    if (rows.empty()) return;
    std::vector<UidRow> all = snapshot->uid_rows;
    all.insert(all.end(), rows.begin(), rows.end());
    SetUidRows(all, snapshot);
    for (const UidRow& row : rows) {
        if (snapshot->uid_days != 0 && row.day <= snapshot->uid_last_day) continue;
        ++snapshot->uid_days;
        snapshot->uid_last_day = row.day;
    }
    rows.insert(rows.end(), snapshot->uids.begin(), snapshot->uids.end());
    snapshot->uids = LargestWriters(rows);
}

}  // namespace

LatencyPoint LatencyPoint::FromSample(const LatencySample& sample) {
    LatencyPoint point{.wall = sample.wall,
                       .span = sample.span,
                       .source = sample.source,
                       .kind = sample.kind,
                       .count = sample.count,
                       .p50 = sample.histogram.Percentile(50),
                       .p90 = sample.histogram.Percentile(90),
                       .p99 = sample.histogram.Percentile(99),
                       .p999 = sample.histogram.Percentile(99.9)};
    if (sample.count != 0) {
        point.mean =
                std::chrono::nanoseconds(sample.total.count() / static_cast<int64_t>(sample.count));
    }
    return point;
}

bool HistorySnapshot::IsCrowded() const {
    std::map<SeriesKey, size_t> points;
    for (const LatencyPoint& point : latency) ++points[{point.source, point.kind}];
    return std::any_of(points.begin(), points.end(),
                       [](const auto& of) { return of.second > kMaxPoints - kWaitingPoints; });
}

Result<HistorySnapshot> ReadSnapshot(Database* database) {
    HistoryTables tables(database);
    HistorySnapshot snapshot;
    for (HistoryTables::WearRow& row : TRY(tables.Wear())) {
        snapshot.wear.push_back(std::move(row.sample));
    }
    ThinWear(&snapshot.wear);
    TRY(ReadLatency(&tables, &snapshot));
    TRY(ReadUids(&tables, &snapshot));
    snapshot.events = TRY(tables.Events(HistorySnapshot::kMaxEvents));
    snapshot.wear.shrink_to_fit();
    snapshot.latency.shrink_to_fit();
    snapshot.uid_rows.shrink_to_fit();
    if (tables.unreadable() != 0) {
        snapshot.notes.push_back("history: " + std::to_string(tables.unreadable()) +
                                 " rows cannot be read");
    }
    return snapshot;
}

HistorySnapshot WithPending(const HistorySnapshot& stored, const HistoryBatch& pending) {
    HistorySnapshot all = stored;
    all.wear.insert(all.wear.end(), pending.wear().begin(), pending.wear().end());
    ThinWear(&all.wear);
    AddLatency(pending, &all);
    AddUids(pending, &all);
    all.events.insert(all.events.end(), pending.events().begin(), pending.events().end());
    KeepLast(&all.events, HistorySnapshot::kMaxEvents);
    if (pending.dropped() != 0) {
        all.notes.push_back("history: " + std::to_string(pending.dropped()) +
                            " rows that could not be written were dropped");
    }
    return all;
}

}  // namespace storekeeper
