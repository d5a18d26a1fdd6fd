// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/retention.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "base/try.h"
#include "history/tables.h"
#include "history/wear_thinning.h"

namespace storekeeper {
namespace {

using android::base::Result;

// Parts of the time covered that go at once when the file is full.
constexpr int64_t kSqueezeParts = 10;

// Sums rows of `from` days each up into ones of `to` days.
Result<uint64_t> FoldLatency(HistoryTables* tables, int64_t from, int64_t to, int64_t before) {
    std::map<int64_t, LatencyRow> sums;
    uint64_t unreadable = 0;
    TRY(tables->ForEachLatency(from, before, [&](const LatencyRow& row) -> Result<void> {
        LatencyRow sum = row;
        sum.day = FirstDayOf(row.day, to);
        sum.days = to;
        const auto [there, is_new] = sums.try_emplace(sum.Key(), sum);
        if (!is_new && !there->second.Join(row).ok()) ++unreadable;
        return {};
    }));
    TRY(tables->DropLatency(from, before));
    for (const auto& [key, sum] : sums) TRY(tables->Put(sum));
    return unreadable;
}

Result<void> FoldUids(HistoryTables* tables, int64_t from, int64_t to, int64_t before) {
    std::map<int64_t, std::vector<UidRow>> spans;
    TRY(tables->ForEachUid(from, before, [&](UidRow row) -> Result<void> {
        row.day = FirstDayOf(row.day, to);
        row.days = to;
        spans[row.day].push_back(row);
        return {};
    }));
    TRY(tables->DropUids(from, before));
    for (const auto& [day, rows] : spans) {
        for (const UidRow& row : LargestWriters(rows)) TRY(tables->Put(row));
    }
    return {};
}

Result<void> ThinWear(HistoryTables* tables, int64_t before) {
    const std::vector<HistoryTables::WearRow> rows = TRY(tables->Wear());
    std::vector<WearSample> samples;
    samples.reserve(rows.size());
    for (const HistoryTables::WearRow& row : rows) samples.push_back(row.sample);
    std::vector<size_t> kept = WeeklyBefore(samples, before);
    for (size_t i = 0, next = 0; i < rows.size(); ++i) {
        if (next < kept.size() && kept[next] == i) {
            ++next;
        } else {
            TRY(tables->DropWear(rows[i].id));
        }
    }
    return {};
}

Result<void> DropOldMonths(Database* database, HistoryTables* tables) {
    // The first day of the oldest month that stays.
    Statement oldest = TRY(database->Compile(
            "SELECT DISTINCT id >> 4 FROM latency WHERE days = 28 ORDER BY 1 DESC LIMIT 1 OFFSET " +
            std::to_string(kMonthsKept - 1)));
    if (!TRY(oldest.Step())) return {};
    const int64_t first = oldest.Number(0);
    TRY(tables->DropLatency(0, first));
    return tables->DropUids(0, first);
}

// Histograms may be larger than anybody thought.
Result<void> Squeeze(Database* database, HistoryTables* tables, uint64_t max_bytes) {
    for (int64_t part = 0; part < kSqueezeParts; ++part) {
        if (!TRY(IsNearlyFull(database, max_bytes))) return {};
        const int64_t first = TRY(database->Number("SELECT ifnull(min(id), 0) >> 4 FROM latency"));
        const int64_t last = TRY(database->Number("SELECT ifnull(max(id), 0) >> 4 FROM latency"));
        const int64_t before = first + std::max((last - first) / kSqueezeParts, kMonthDays);
        TRY(tables->DropLatency(0, before));
        TRY(tables->DropUids(0, before));
    }
    return {};
}

}  // namespace

std::vector<UidRow> LargestWriters(const std::vector<UidRow>& rows) {
    std::map<uint32_t, UidRow> by_uid;
    for (const UidRow& row : rows) {
        const auto [sum, is_new] = by_uid.try_emplace(row.uid, row);
        if (!is_new) sum->second.written_bytes += row.written_bytes;
    }
    std::optional<UidRow> others;
    if (auto found = by_uid.extract(UidRow::kOthers)) others = found.mapped();
    std::vector<UidRow> largest;
    largest.reserve(by_uid.size());
    for (const auto& [uid, row] : by_uid) largest.push_back(row);
    std::sort(largest.begin(), largest.end(), [](const UidRow& a, const UidRow& b) {
        return std::tie(b.written_bytes, a.uid) < std::tie(a.written_bytes, b.uid);
    });
    for (size_t i = kUidsKept; i < largest.size(); ++i) {
        if (!others.has_value()) {
            others = largest[i];
            others->uid = UidRow::kOthers;
        } else {
            others->written_bytes += largest[i].written_bytes;
        }
    }
    largest.resize(std::min(largest.size(), kUidsKept));
    if (others.has_value()) largest.push_back(*others);
    return largest;
}

int64_t FoldedBefore(int64_t today) {
    return FirstDayOf(today - kKeptByDay, kMonthDays);
}

Result<bool> IsNearlyFull(Database* database, uint64_t max_bytes) {
    const int64_t pages = TRY(database->Number("PRAGMA page_count"));
    const int64_t free = TRY(database->Number("PRAGMA freelist_count"));
    return pages - free > static_cast<int64_t>(max_bytes / Database::kPageBytes) * kFullPct / 100;
}

Result<uint64_t> ThinOut(Database* database, int64_t today, uint64_t max_bytes) {
    HistoryTables tables(database);
    const int64_t by_day = FoldedBefore(today);
    const int64_t by_week = FirstDayOf(today - kKeptByWeek, kMonthDays);
    uint64_t unreadable = TRY(FoldLatency(&tables, 1, kWeekDays, by_day));
    unreadable += TRY(FoldLatency(&tables, kWeekDays, kMonthDays, by_week));
    TRY(FoldUids(&tables, 1, kWeekDays, by_day));
    TRY(FoldUids(&tables, kWeekDays, kMonthDays, by_week));
    TRY(ThinWear(&tables, by_day));
    TRY(tables.DropAllButLastEvents(kEventsKept));
    TRY(DropOldMonths(database, &tables));
    TRY(Squeeze(database, &tables, max_bytes));
    return unreadable + tables.unreadable();
}

}  // namespace storekeeper
