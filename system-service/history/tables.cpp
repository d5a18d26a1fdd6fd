// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/tables.h"

#include <algorithm>
#include <limits>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Result;

constexpr int64_t kKeysPerDay = 16;  // LatencyRow::Key()
constexpr int64_t kKinds = 4;
constexpr int64_t kUidsPerDay = int64_t{1} << 32;
// So that keys of days stay within 64 bits: 5.8 million years.
constexpr int64_t kLastDay = int64_t{1} << 31;

int64_t Bounded(int64_t day) {
    return std::clamp(day, -kLastDay, kLastDay - 1);
}

std::optional<uint8_t> ByteIn(const Statement& statement, int column) {
    const std::optional<uint64_t> count = statement.MaybeCount(column);
    if (!count.has_value() || *count > UINT8_MAX) return std::nullopt;
    return static_cast<uint8_t>(*count);
}

WallTime WallIn(const Statement& statement, int column) {
    return WallTime(statement.Number(column));
}

// Parameter 1 is a key, 2 a number of days or 0 for any.
constexpr char kOfDaysBefore[] = " WHERE id < ?1 AND (?2 = 0 OR days = ?2)";

}  // namespace

HistoryTables::Status HistoryTables::Put(const WearSample& sample) {
    Statement insert = TRY(database_.Compile(
            "INSERT INTO wear(wall, boot_id, chip, source, ext_csd_rev, life_time_a, life_time_b, "
            "pre_eol_info, filesystem_written) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    const auto byte = [](std::optional<uint8_t> value) { return std::optional<uint64_t>(value); };
    return insert.Bind(1, sample.wall.count())
            .BindText(2, sample.boot_id)
            .BindText(3, sample.chip)
            .BindText(4, sample.source)
            .BindCount(5, byte(sample.wear.ext_csd_rev))
            .BindCount(6, byte(sample.wear.life_time_a))
            .BindCount(7, byte(sample.wear.life_time_b))
            .BindCount(8, byte(sample.wear.pre_eol_info))
            .BindCount(9, sample.filesystem_written_bytes)
            .Run();
}

HistoryTables::Status HistoryTables::Put(const LatencyRow& row) {
    LatencyRow sum = row;
    sum.day = Bounded(row.day);
    {
        Statement find = TRY(database_.Compile(
                "SELECT days, wall, span, count, total, histogram FROM latency WHERE id = ?"));
        if (TRY(find.Bind(1, sum.Key()).Step())) {
            sum.days = std::max(row.days, find.Number(0));
            const LatencyRow there{.wall = WallIn(find, 1),
                                   .span = std::chrono::seconds(find.Number(2)),
                                   .count = find.Count(3),
                                   .total = std::chrono::nanoseconds(find.Number(4)),
                                   .histogram = find.Bytes(5)};
            // What cannot be read gives way.
            if (!sum.Join(there).ok()) ++unreadable_;
        }
    }
    Statement insert = TRY(database_.Compile(
            "INSERT OR REPLACE INTO latency(id, days, wall, span, count, total, histogram) "
            "VALUES(?, ?, ?, ?, ?, ?, ?)"));
    return insert.Bind(1, sum.Key())
            .Bind(2, sum.days)
            .Bind(3, sum.wall.count())
            .Bind(4, sum.span.count())
            .BindCount(5, sum.count)
            .Bind(6, sum.total.count())
            .BindBlob(7, sum.histogram)
            .Run();
}

HistoryTables::Status HistoryTables::Put(const UidRow& row) {
    Statement insert = TRY(database_.Compile(
            "INSERT INTO uid_writes(id, days, written) VALUES(?1, ?2, ?3) ON CONFLICT(id) DO "
            "UPDATE SET days = max(days, ?2), written = written + ?3"));
    return insert.Bind(1, Bounded(row.day) * kUidsPerDay + row.uid)
            .Bind(2, row.days)
            .BindCount(3, row.written_bytes)
            .Run();
}

HistoryTables::Status HistoryTables::Put(const HistoryEvent& event) {
    Statement insert =
            TRY(database_.Compile("INSERT INTO events(wall, kind, text) VALUES(?, ?, ?)"));
    return insert.Bind(1, event.wall.count()).BindText(2, event.kind).BindText(3, event.text).Run();
}

Result<std::vector<HistoryTables::WearRow>> HistoryTables::Wear() {
    Statement select = TRY(database_.Compile(
            "SELECT id, wall, boot_id, chip, source, ext_csd_rev, life_time_a, life_time_b, "
            "pre_eol_info, filesystem_written FROM wear ORDER BY id"));
    std::vector<WearRow> rows;
    while (TRY(select.Step())) {
        rows.push_back({.id = select.Number(0),
                        .sample = {.wall = WallIn(select, 1),
                                   .boot_id = select.Bytes(2),
                                   .chip = select.Bytes(3),
                                   .source = select.Bytes(4),
                                   .wear = {.ext_csd_rev = ByteIn(select, 5),
                                            .life_time_a = ByteIn(select, 6),
                                            .life_time_b = ByteIn(select, 7),
                                            .pre_eol_info = ByteIn(select, 8)},
                                   .filesystem_written_bytes = select.MaybeCount(9)}});
    }
    return rows;
}

Result<std::map<std::pair<LatencySource, IoKind>, size_t>> HistoryTables::LatencyCounts() {
    Statement select = TRY(database_.Compile("SELECT id & 15, count(*) FROM latency GROUP BY 1"));
    std::map<std::pair<LatencySource, IoKind>, size_t> counts;
    while (TRY(select.Step())) {
        const uint64_t place = select.Count(0);
        if (place / kKinds >= std::size(kLatencySources)) continue;  // ForEachLatency() says so
        counts[{kLatencySources[place / kKinds], kIoKinds[place % kKinds]}] = select.Count(1);
    }
    return counts;
}

HistoryTables::Status HistoryTables::ForEachLatency(
        int64_t days, int64_t before, const std::function<Status(const LatencyRow&)>& each) {
    Statement select = TRY(database_.Compile(
            std::string("SELECT id, days, wall, span, count, total, histogram FROM latency") +
            kOfDaysBefore + " ORDER BY id"));
    select.Bind(1, Bounded(before) * kKeysPerDay).Bind(2, days);
    while (TRY(select.Step())) {
        const int64_t id = select.Number(0);
        const int64_t day = FirstDayOf(id, kKeysPerDay) / kKeysPerDay;
        const auto place = static_cast<uint64_t>(id - day * kKeysPerDay);
        if (place / kKinds >= std::size(kLatencySources) || select.Number(1) < 1) {
            ++unreadable_;
            continue;
        }
        TRY(each({.day = day,
                  .days = select.Number(1),
                  .source = kLatencySources[place / kKinds],
                  .kind = kIoKinds[place % kKinds],
                  .wall = WallIn(select, 2),
                  .span = std::chrono::seconds(select.Number(3)),
                  .count = select.Count(4),
                  .total = std::chrono::nanoseconds(select.Number(5)),
                  .histogram = select.Bytes(6)}));
    }
    return {};
}

HistoryTables::Status HistoryTables::ForEachUid(int64_t days, int64_t before,
                                                const std::function<Status(const UidRow&)>& each) {
    Statement select =
            TRY(database_.Compile(std::string("SELECT id, days, written FROM uid_writes") +
                                  kOfDaysBefore + " ORDER BY id"));
    select.Bind(1, Bounded(before) * kUidsPerDay).Bind(2, days);
    while (TRY(select.Step())) {
        const int64_t id = select.Number(0);
        TRY(each({.day = FirstDayOf(id, kUidsPerDay) / kUidsPerDay,
                  .days = select.Number(1),
                  .uid = static_cast<uint32_t>(id & UINT32_MAX),
                  .written_bytes = select.Count(2)}));
    }
    return {};
}

Result<std::vector<HistoryEvent>> HistoryTables::Events(size_t last) {
    Statement select =
            TRY(database_.Compile("SELECT kind, wall, text FROM events ORDER BY id DESC LIMIT ?"));
    select.BindCount(1, last);
    std::vector<HistoryEvent> events;
    while (TRY(select.Step())) {
        events.push_back(
                {.kind = select.Bytes(0), .wall = WallIn(select, 1), .text = select.Bytes(2)});
    }
    std::reverse(events.begin(), events.end());
    return events;
}

HistoryTables::Status HistoryTables::DropWear(int64_t id) {
    return TRY(database_.Compile("DELETE FROM wear WHERE id = ?")).Bind(1, id).Run();
}

HistoryTables::Status HistoryTables::DropLatency(int64_t days, int64_t before) {
    return TRY(database_.Compile(std::string("DELETE FROM latency") + kOfDaysBefore))
            .Bind(1, Bounded(before) * kKeysPerDay)
            .Bind(2, days)
            .Run();
}

HistoryTables::Status HistoryTables::DropUids(int64_t days, int64_t before) {
    return TRY(database_.Compile(std::string("DELETE FROM uid_writes") + kOfDaysBefore))
            .Bind(1, Bounded(before) * kUidsPerDay)
            .Bind(2, days)
            .Run();
}

HistoryTables::Status HistoryTables::DropAllButLastEvents(size_t kept) {
    return TRY(database_.Compile("DELETE FROM events WHERE id <= (SELECT max(id) FROM events) - ?"))
            .BindCount(1, kept)
            .Run();
}

}  // namespace storekeeper
