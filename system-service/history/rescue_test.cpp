// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/rescue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "history/store.h"
#include "testing/fake_clock.h"
#include "testing/history_use.h"
#include "testing/tree.h"

namespace storekeeper {
namespace {

using android::base::Result;
using testing::HasSubstr;

constexpr char kName[] = "/history.db";
constexpr std::array kTables = {"wear", "latency", "uid_writes", "events", "batches"};
// Type byte of a page that holds rows (fileformat2 1.6).
constexpr char kLeaf = 0x0d;

using Counts = std::map<std::string, int64_t>;

// Some months of history in one file, without a log, and damaged copies of it.
class RescueTest : public testing::Test {
  protected:
    RescueTest() {
        {
            History history(RealCalls(), tree_.PathOf(kName), clock_);
            HistoryUse use(&history, &clock_);
            for (int day = 0; day < 150; ++day) {
                if (day % 50 == 0)
                    history.Add(HistoryEvent{.kind = "first_seen", .wall = WallTime(day)});
                use.Day();
            }
            EXPECT_TRUE(history.Flush().ok());
        }
        Database database(RealCalls());
        EXPECT_TRUE(database.Open(tree_.PathOf(kName)).ok());
        EXPECT_TRUE(database.Number("PRAGMA wal_checkpoint(TRUNCATE)").ok());
        for (const char* table : kTables) {
            tables_[table] = *database.Number(std::string("SELECT count(*) FROM ") + table);
        }
        database.Close();
        whole_ = tree_.Read(kName);
    }

    // Row counts after opening `damaged`, and the note.
    std::pair<Counts, std::string> LeftOf(const std::string& damaged) {
        tree_.Write(kName, damaged);
        for (const char* other : {"-wal", ".aside", "-wal.aside"})
            tree_.Remove(std::string(kName) + other);
        std::string note;
        {
            HistoryStore store(RealCalls(), tree_.PathOf(kName));
            EXPECT_TRUE(store.Read(clock_.Wall()).ok());
            note = store.note();
        }
        Database database(RealCalls());
        EXPECT_TRUE(database.Open(tree_.PathOf(kName)).ok());
        Counts left;
        for (const char* table : kTables) {
            left[table] = *database.Number(std::string("SELECT count(*) FROM ") + table);
        }
        // The note itself is an event.
        if (!note.empty()) --left["events"];
        return {left, note};
    }

    std::string Damaged(size_t page) const {
        std::string bytes = whole_;
        bytes.replace(page * Database::kPageBytes, Database::kPageBytes, Database::kPageBytes, 'x');
        return bytes;
    }

    Tree tree_;
    FakeClock clock_;
    Counts tables_;
    std::string whole_;
};

TEST_F(RescueTest, OneDamagedPageOfRowsCostsItsRowsAlone) {
    const size_t pages = whole_.size() / Database::kPageBytes;
    int damaged = 0;
    for (size_t page = 1; page < pages; page += 4) {
        if (whole_[page * Database::kPageBytes] != kLeaf) continue;
        const auto& [left, note] = LeftOf(Damaged(page));
        if (note.empty()) continue;  // the damage hit a free page
        ++damaged;
        int tables = 0;
        for (const auto& [table, rows] : tables_) {
            const int64_t lost = rows - left.at(table);
            if (lost == 0) continue;
            ++tables;
            EXPECT_THAT(note, HasSubstr("rows of " + table + " ")) << page;
            // At most the rows of one page are lost.
            EXPECT_LE(lost, Database::kPageBytes / 8) << page << note;
        }
        EXPECT_LE(tables, 1) << note;
    }
    EXPECT_LT(10, damaged);
}

TEST_F(RescueTest, TheLossIsNamedWithItsSpan) {
    std::vector<size_t> of_wear;
    for (size_t page = 1; page < whole_.size() / Database::kPageBytes; ++page) {
        const std::string bytes = whole_.substr(page * Database::kPageBytes, Database::kPageBytes);
        if (bytes[0] == kLeaf && bytes.find("6ba7b810-") != std::string::npos) {
            of_wear.push_back(page);
        }
    }
    ASSERT_LE(3U, of_wear.size());
    // The damage hits the first rows, rows in the middle, or the last ones; SQLite chooses their
    // pages.
    std::map<std::string, int> spans =
            {{"rows of wear to 2026-[-0-9: ]+ UTC are lost", 0},
             {"rows of wear from 2026-[-0-9: ]+ UTC to 2026-[-0-9: ]+ UTC are lost", 0},
             {"rows of wear from 2026-[-0-9: ]+ UTC are lost", 0}};
    for (const size_t page : of_wear) {
        const auto& [left, note] = LeftOf(Damaged(page));
        EXPECT_LT(0, left.at("wear"));
        EXPECT_LT(left.at("wear"), tables_["wear"]);
        EXPECT_THAT(note, HasSubstr("history.db.aside"));
        for (auto& [span, found] : spans)
            found += testing::Matches(testing::ContainsRegex(span))(note) ? 1 : 0;
    }
    for (const auto& [span, found] : spans) EXPECT_LT(0, found) << span;
}

TEST_F(RescueTest, WithoutTheFirstPageNoRowIsKept) {
    const auto& [left, note] = LeftOf(Damaged(0));
    EXPECT_EQ(0, left.at("wear"));
    EXPECT_THAT(note, HasSubstr("no row of it is kept"));
}

// The list of free pages is damaged, which affects no row.
TEST_F(RescueTest, DamageThatHidesNoRowLosesNone) {
    std::string bytes = whole_;
    // Count of free pages in the header (fileformat2 1.3).
    bytes[39] = static_cast<char>(bytes[39] + 1);
    const auto& [left, note] = LeftOf(bytes);
    EXPECT_EQ(tables_, left);
    EXPECT_THAT(note, HasSubstr("no row is lost"));
}

}  // namespace
}  // namespace storekeeper
