// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/tables.h"

#include <android-base/strings.h>

#include <algorithm>
#include <array>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringReplace;

// Keys are composed numbers, so SQLite needs no second tree, and rows of a day are adjacent.
//   latency.id = (day * 4 + source) * 4 + kind, with the numbers of LatencySource and IoKind
//   uid_writes.id = day * 2^32 + uid; uid 2^32-1, which is no valid uid, stands for all others
// A row of `days` days is their sum; `day` is the first of them, counted from the epoch. Times are
// seconds since the epoch. Durations are nanoseconds in latency, seconds elsewhere.
constexpr std::array kMigrations = {
        R"(
CREATE TABLE wear(
    id INTEGER PRIMARY KEY,
    wall INTEGER NOT NULL,
    boot_id TEXT NOT NULL,
    chip TEXT NOT NULL,
    source TEXT NOT NULL,
    ext_csd_rev INTEGER,
    life_time_a INTEGER,
    life_time_b INTEGER,
    pre_eol_info INTEGER,
    filesystem_written INTEGER);
CREATE TABLE latency(
    id INTEGER PRIMARY KEY,
    days INTEGER NOT NULL,
    wall INTEGER NOT NULL,
    span INTEGER NOT NULL,
    count INTEGER NOT NULL,
    total INTEGER NOT NULL,
    histogram BLOB NOT NULL);
CREATE TABLE uid_writes(
    id INTEGER PRIMARY KEY,
    days INTEGER NOT NULL,
    written INTEGER NOT NULL);
)",
        R"(
CREATE TABLE runs(
    id INTEGER PRIMARY KEY,
    started INTEGER NOT NULL,
    duration INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    discarded INTEGER);
CREATE TABLE events(
    id INTEGER PRIMARY KEY,
    wall INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL);
)",
        // Never read: receipts hold the same and more.
        "DROP TABLE runs;",
        // One row holds the number of the last batch. A batch whose commit failed is not added
        // twice, even if the disk kept it.
        "CREATE TABLE batches(id INTEGER PRIMARY KEY, number INTEGER NOT NULL);",
        // Older rows have no bytes on the device; `written` is used instead.
        R"(
ALTER TABLE uid_writes ADD COLUMN fsyncs INTEGER NOT NULL DEFAULT 0;
ALTER TABLE uid_writes ADD COLUMN device INTEGER;
)",
        // Older rows have no span; the length of their days is used.
        "ALTER TABLE uid_writes ADD COLUMN span INTEGER;",
};

Result<void> CheckWhole(Database* database) {
    Statement check = TRY(database->Compile("PRAGMA quick_check(1)"));
    if (!TRY(check.Step())) return Error() << database->path() << ": quick_check returns nothing";
    if (const std::string said = check.Bytes(0); said != "ok") {
        return Error() << database->path()
                       << ": damaged: " << StringReplace(said, "\n", ", ", /*all=*/true);
    }
    return {};
}

constexpr int64_t kKeysPerDay = 16;  // LatencyRow::Key()
constexpr int64_t kKinds = 4;
constexpr int64_t kUidsPerDay = int64_t{1} << 32;
// Keeps keys within 64 bits; 2^31 days are 5.8 million years.
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

// Column 0 is the key of day, source and kind.
constexpr char kSelectLatency[] =
        "SELECT id, days, wall, span, count, total, histogram FROM latency";
LatencyRow LatencyIn(const Statement& statement) {
    return {.days = statement.Number(1),
            .wall = WallIn(statement, 2),
            .span = std::chrono::seconds(statement.Number(3)),
            .count = statement.Count(4),
            .total = std::chrono::nanoseconds(statement.Number(5)),
            .histogram = statement.Bytes(6)};
}

// Parameter 1 is a key, parameter 2 a number of days, or 0 for any.
constexpr char kOfDaysBefore[] = " WHERE id < ?1 AND (?2 = 0 OR days = ?2)";

}  // namespace

std::span<const char* const> HistoryMigrations() {
    return kMigrations;
}

bool IsHistory(Database* database) {
    if (!database->is_open()) return false;
    const Result<int64_t> id = database->Number("PRAGMA application_id");
    return id.ok() && *id == kHistoryApplicationId;
}

Result<void> MigrateTables(Database* database, uint64_t max_bytes) {
    const int64_t id = TRY(database->Number("PRAGMA application_id"));
    const int64_t version = TRY(database->Number("PRAGMA user_version"));
    const int64_t tables = TRY(database->Number("SELECT count(*) FROM sqlite_master"));
    const bool empty = id == 0 && version == 0 && tables == 0;
    if (!empty && id != kHistoryApplicationId) {
        return Error() << database->path() << ": another program's file (application_id " << id
                       << ")";
    }
    const auto newest = static_cast<int64_t>(kMigrations.size());
    if (version > newest) {
        return Error() << database->path() << ": version " << version << " is later than " << newest
                       << ", the last one known";
    }
    if (version < (empty ? 0 : 1)) {
        return Error() << database->path() << ": version " << version << " is not valid";
    }
    TRY(CheckWhole(database));
    TRY(database->Prepare(max_bytes));
    if (version == newest) return {};
    return database->InTransaction([&]() -> Result<void> {
        for (int64_t step = version; step < newest; ++step) {
            TRY(database->Execute(kMigrations[static_cast<size_t>(step)]));
        }
        TRY(database->Execute("PRAGMA application_id=" + std::to_string(kHistoryApplicationId)));
        return database->Execute("PRAGMA user_version=" + std::to_string(newest));
    });
}

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
        Statement find = TRY(database_.Compile(std::string(kSelectLatency) + " WHERE id = ?"));
        if (TRY(find.Bind(1, sum.Key()).Step())) {
            const LatencyRow there = LatencyIn(find);
            sum.days = std::max(row.days, there.days);
            // An unreadable stored row is replaced.
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
            "INSERT INTO uid_writes(id, days, written, fsyncs, device, span) "
            "VALUES(?1, ?2, ?3, ?4, ?5, ?6) "
            "ON CONFLICT(id) DO UPDATE SET days = max(days, ?2), written = written + ?3, "
            "fsyncs = fsyncs + ?4, device = coalesce(device, written) + ?5, "
            "span = coalesce(span, days * 86400) + ?6"));
    return insert.Bind(1, Bounded(row.day) * kUidsPerDay + row.uid)
            .Bind(2, row.days)
            .BindCount(3, row.written_bytes)
            .BindCount(4, row.fsyncs)
            .BindCount(5, row.device_bytes)
            .BindCount(6, row.span_s)
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
        // ForEachLatency() counts it as unreadable
        if (place / kKinds >= std::size(kLatencySources)) continue;
        counts[{kLatencySources[place / kKinds], kIoKinds[place % kKinds]}] = select.Count(1);
    }
    return counts;
}

HistoryTables::Status HistoryTables::ForEachLatency(
        int64_t days, int64_t before, const std::function<Status(const LatencyRow&)>& each) {
    Statement select =
            TRY(database_.Compile(std::string(kSelectLatency) + kOfDaysBefore + " ORDER BY id"));
    select.Bind(1, Bounded(before) * kKeysPerDay).Bind(2, days);
    while (TRY(select.Step())) {
        LatencyRow row = LatencyIn(select);
        const int64_t id = select.Number(0);
        row.day = FirstDayOf(id, kKeysPerDay) / kKeysPerDay;
        const auto place = static_cast<uint64_t>(id - row.day * kKeysPerDay);
        if (place / kKinds >= std::size(kLatencySources) || row.days < 1) {
            ++unreadable_;
            continue;
        }
        row.source = kLatencySources[place / kKinds];
        row.kind = kIoKinds[place % kKinds];
        TRY(each(row));
    }
    return {};
}

HistoryTables::Status HistoryTables::ForEachUid(int64_t days, int64_t before,
                                                const std::function<Status(const UidRow&)>& each) {
    Statement select =
            TRY(database_.Compile(std::string("SELECT id, days, written, fsyncs, "
                                              "coalesce(device, written), "
                                              "coalesce(span, days * 86400) FROM uid_writes") +
                                  kOfDaysBefore + " ORDER BY id"));
    select.Bind(1, Bounded(before) * kUidsPerDay).Bind(2, days);
    while (TRY(select.Step())) {
        const int64_t id = select.Number(0);
        TRY(each({.day = FirstDayOf(id, kUidsPerDay) / kUidsPerDay,
                  .days = select.Number(1),
                  .uid = static_cast<uint32_t>(id & UINT32_MAX),
                  .written_bytes = select.Count(2),
                  .fsyncs = select.Count(3),
                  .device_bytes = select.Count(4),
                  .span_s = select.Count(5)}));
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

HistoryTables::Status HistoryTables::PutBatchNumber(int64_t number) {
    return TRY(database_.Compile("INSERT OR REPLACE INTO batches(id, number) VALUES(1, ?)"))
            .Bind(1, number)
            .Run();
}

Result<int64_t> HistoryTables::BatchNumber() {
    return database_.Number("SELECT coalesce(max(number), 0) FROM batches");
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
