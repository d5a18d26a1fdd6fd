// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/schema.h"

#include <array>
#include <string>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// Numbers that are put together are the keys: SQLite needs no second tree for them, and rows of a
// day lie side by side.
//   latency.id = (day * 4 + source) * 4 + kind, with the numbers of LatencySource and IoKind
//   uid_writes.id = day * 2^32 + uid; uid 2^32-1, which nobody can have, are all others
// A row of `days` days is the sum of these, `day` the first of them since the epoch. Times are
// seconds since the epoch, durations in latency nanoseconds, else seconds.
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
        // Nobody read them: receipts have the same, and more.
        "DROP TABLE runs;",
};

Result<void> CheckWhole(Database* database) {
    Statement check = TRY(database->Compile("PRAGMA quick_check(1)"));
    if (!TRY(check.Step())) return Error() << "history: quick_check returns nothing";
    if (const std::string said = check.Bytes(0); said != "ok") {
        return Error() << "history: damaged: " << said;
    }
    return {};
}

}  // namespace

std::span<const char* const> HistoryMigrations() {
    return kMigrations;
}

Result<void> BringUpToDate(Database* database, uint64_t max_bytes) {
    const int64_t id = TRY(database->Number("PRAGMA application_id"));
    const int64_t version = TRY(database->Number("PRAGMA user_version"));
    const int64_t tables = TRY(database->Number("SELECT count(*) FROM sqlite_master"));
    const bool empty = id == 0 && version == 0 && tables == 0;
    if (!empty && id != kHistoryApplicationId) {
        return Error() << "history: another program's file (application_id " << id << ")";
    }
    const auto newest = static_cast<int64_t>(kMigrations.size());
    if (version > newest) {
        return Error() << "history: version " << version << " is later than " << newest
                       << ", the last one known";
    }
    if (version < (empty ? 0 : 1)) return Error() << "history: version " << version;
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

}  // namespace storekeeper
