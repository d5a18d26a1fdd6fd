// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/rescue.h"

#include <android-base/strings.h>

#include <optional>
#include <vector>

#include "base/quantity_text.h"
#include "base/try.h"
#include "history/tables.h"

namespace storekeeper {
namespace {

using android::base::Result;

struct Table {
    std::string name;
    // SQL expression for the wall time of a row.
    std::string wall;
};

// HistoryTables defines the keys. A batch number has no time.
const Table kTables[] = {{"wear", "wall"},
                         {"latency", "(id >> 4) * 86400"},
                         {"uid_writes", "(id >> 32) * 86400"},
                         {"events", "wall"},
                         {"batches", "NULL"}};

// The last row of one pass over a table.
struct Reading {
    std::optional<int64_t> id;
    std::optional<WallTime> wall;
    bool is_whole = false;  // no damage was met
};

// A statement that inserts a row of `select`, whose last column is the wall time. It skips rows
// that exist already or violate a constraint.
Result<Statement> InsertOf(const Statement& select, const Table& table, Database* to) {
    std::vector<std::string> names;
    for (int i = 0; i + 1 < select.ColumnCount(); ++i) names.push_back(select.ColumnName(i));
    const std::vector<std::string> marks(names.size(), "?");
    return to->Compile("INSERT OR IGNORE INTO " + table.name + "(" +
                       android::base::Join(names, ", ") + ") VALUES(" +
                       android::base::Join(marks, ", ") + ")");
}

// Copies rows in ascending order of ids, or in descending order down to `until`.
Result<Reading> Copy(Database* from, const Table& table, bool forwards,
                     std::optional<int64_t> until, Database* to) {
    Reading reading;
    Result<Statement> select = from->Compile("SELECT *, " + table.wall + " FROM " + table.name +
                                             " ORDER BY id " + (forwards ? "ASC" : "DESC"));
    if (!select.ok()) return reading;
    Statement insert = TRY(InsertOf(*select, table, to));
    for (;;) {
        const Result<bool> row = select->Step();
        if (!row.ok()) return reading;
        if (!*row || (until.has_value() && select->Number(0) <= *until)) break;
        for (int i = 0; i + 1 < select->ColumnCount(); ++i) insert.BindColumn(i + 1, *select, i);
        TRY(insert.Run());
        reading.id = select->Number(0);
        const int64_t wall = select->Number(select->ColumnCount() - 1);
        if (wall != 0) reading.wall = WallTime(wall);
    }
    reading.is_whole = true;
    return reading;
}

std::string Span(const Reading& before, const Reading& after) {
    std::string text;
    if (before.wall.has_value()) text += " from " + WallTimeText(*before.wall);
    if (after.wall.has_value()) text += " to " + WallTimeText(*after.wall);
    return text.empty() ? " of all times" : text;
}

}  // namespace

Result<std::string> RescueRows(Database* from, Database* to) {
    std::vector<std::string> losses;
    for (const Table& table : kTables) {
        // Files of earlier versions lack some tables.
        const Result<int64_t> there = from->Number(
                "SELECT count(*) FROM sqlite_master WHERE name = '" + table.name + "'");
        if (there.ok() && *there == 0) continue;
        const Reading before = TRY(Copy(from, table, /*forwards=*/true, std::nullopt, to));
        if (before.is_whole) continue;
        const Reading after = TRY(Copy(from, table, /*forwards=*/false, before.id, to));
        losses.push_back("rows of " + table.name + Span(before, after) + " are lost");
    }
    return losses.empty() ? "no row is lost" : android::base::Join(losses, "; ");
}

}  // namespace storekeeper
