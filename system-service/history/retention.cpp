// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/retention.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/try.h"
#include "history/tables.h"

namespace storekeeper {
namespace {

using android::base::Result;

auto Wear(const WearSample& sample) {
    return std::tie(sample.chip, sample.source, sample.wear.ext_csd_rev, sample.wear.life_time_a,
                    sample.wear.life_time_b, sample.wear.pre_eol_info);
}

// std::span::size() is signed up to Android 14.
size_t SizeOf(std::span<const WearSample> samples) {
    return static_cast<size_t>(samples.size());
}

bool IsBesideTurn(std::span<const WearSample> samples, size_t at) {
    return (at > 0 && IsTurn(samples[at - 1], samples[at])) ||
           (at + 1 < SizeOf(samples) && IsTurn(samples[at], samples[at + 1]));
}

bool IsEnd(std::span<const WearSample> samples, size_t at) {
    return at == 0 || at + 1 == SizeOf(samples);
}

int64_t WeekOf(const WearSample& sample) {
    return FirstDayOf(DayOf(sample.wall), kWeekDays);
}

// Each step of DropOldestRows() drops this fraction of the covered time.
constexpr int64_t kDropParts = 10;

// Adds up rows of `from` days into rows of `to` days.
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
    std::vector<UidRow> rows;
    TRY(tables->ForEachUid(from, before, [&](UidRow row) -> Result<void> {
        row.day = FirstDayOf(row.day, to);
        row.days = to;
        rows.push_back(row);
        return {};
    }));
    TRY(tables->DropUids(from, before));
    for (const UidRow& row : LargestWritersByDay(rows)) TRY(tables->Put(row));
    return {};
}

Result<void> ThinWear(HistoryTables* tables, int64_t before) {
    const std::vector<HistoryTables::WearRow> rows = TRY(tables->Wear());
    std::vector<WearSample> samples;
    samples.reserve(rows.size());
    for (const HistoryTables::WearRow& row : rows) samples.push_back(row.sample);
    const std::vector<size_t> kept = WeeklyBefore(samples, before);
    for (size_t i = 0; i < rows.size(); ++i) {
        if (!std::binary_search(kept.begin(), kept.end(), i)) TRY(tables->DropWear(rows[i].id));
    }
    return {};
}

Result<void> DropOldMonths(Database* database, HistoryTables* tables) {
    // The first day of the oldest month to keep.
    Statement oldest = TRY(database->Compile(
            "SELECT DISTINCT id >> 4 FROM latency WHERE days = 28 ORDER BY 1 DESC LIMIT 1 OFFSET " +
            std::to_string(kMonthsKept - 1)));
    if (!TRY(oldest.Step())) return {};
    const int64_t first = oldest.Number(0);
    TRY(tables->DropLatency(0, first));
    return tables->DropUids(0, first);
}

// Drops the oldest rows of a file that is nearly full, in case histograms are larger than expected.
Result<void> DropOldestRows(Database* database, HistoryTables* tables, uint64_t max_bytes) {
    for (int64_t part = 0; part < kDropParts; ++part) {
        if (!TRY(IsNearlyFull(database, max_bytes))) return {};
        const int64_t first = TRY(database->Number("SELECT ifnull(min(id), 0) >> 4 FROM latency"));
        const int64_t last = TRY(database->Number("SELECT ifnull(max(id), 0) >> 4 FROM latency"));
        const int64_t before = first + std::max((last - first) / kDropParts, kMonthDays);
        TRY(tables->DropLatency(0, before));
        TRY(tables->DropUids(0, before));
    }
    return {};
}

}  // namespace

bool IsTurn(const WearSample& before, const WearSample& after) {
    // An absent value compares less than any other.
    return Wear(before) != Wear(after) ||
           after.filesystem_written_bytes < before.filesystem_written_bytes;
}

bool DeservesRow(const WearSample& last, const WearSample& sample) {
    return IsTurn(last, sample) || DayOf(last.wall) != DayOf(sample.wall);
}

std::vector<size_t> WeeklyBefore(std::span<const WearSample> samples, int64_t day) {
    std::vector<size_t> left;
    for (size_t i = 0; i < SizeOf(samples); ++i) {
        if (DayOf(samples[i].wall) >= day || IsEnd(samples, i) || IsBesideTurn(samples, i) ||
            WeekOf(samples[i]) != WeekOf(samples[i + 1])) {
            left.push_back(i);
        }
    }
    return left;
}

std::vector<size_t> EvenlyThinned(std::span<const WearSample> samples, size_t most) {
    std::vector<size_t> kept;
    std::vector<size_t> others;
    for (size_t i = 0; i < SizeOf(samples); ++i) {
        (IsBesideTurn(samples, i) || IsEnd(samples, i) ? kept : others).push_back(i);
    }
    if (kept.size() >= most) {
        kept.erase(kept.begin(), kept.end() - static_cast<ptrdiff_t>(most));
        return kept;
    }
    const size_t room = std::min(most - kept.size(), others.size());
    for (size_t i = 0; i < room; ++i) kept.push_back(others[i * others.size() / room]);
    std::sort(kept.begin(), kept.end());
    return kept;
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
    TRY(DropOldestRows(database, &tables, max_bytes));
    return unreadable + tables.unreadable();
}

}  // namespace storekeeper
