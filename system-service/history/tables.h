// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "health/wear_sample.h"
#include "history/database.h"
#include "history/rows.h"

namespace storekeeper {

// Application id in the file's header, "StKp" (fileformat2 1.3.13).
inline constexpr int64_t kHistoryApplicationId = 0x53744b70;

// SQL that leads from each version of the tables to the next, the first one from an empty file. A
// released entry never changes.
std::span<const char* const> HistoryMigrations();

// Brings an empty file or an older version to the newest version, in one transaction. A foreign,
// newer or damaged file is refused unchanged, with the reason.
android::base::Result<void> MigrateTables(Database* database, uint64_t max_bytes);

// True for an open history file of any version, even a damaged one with a readable first page.
bool IsHistory(Database* database);

// Row access to the tables, without any retention policy.
class HistoryTables {
  public:
    using Status = android::base::Result<void>;
    struct WearRow {
        int64_t id = 0;
        WearSample sample;
    };

    explicit HistoryTables(Database* database) : database_(*database) {}

    Status Put(const WearSample& sample);
    // Adds to the stored row of the same days.
    Status Put(const LatencyRow& row);
    Status Put(const UidRow& row);
    Status Put(const HistoryEvent& event);

    // Number of the last batch; 0 before the first.
    Status PutBatchNumber(int64_t number);
    android::base::Result<int64_t> BatchNumber();

    // All rows, oldest first.
    android::base::Result<std::vector<WearRow>> Wear();
    // Number of rows for each source and kind.
    android::base::Result<std::map<std::pair<LatencySource, IoKind>, size_t>> LatencyCounts();
    // Visits rows of days before `before` in the order of day, source and kind; only rows of `days`
    // days, unless that is 0. Stops with the error of `each`.
    Status ForEachLatency(int64_t days, int64_t before,
                          const std::function<Status(const LatencyRow&)>& each);
    Status ForEachUid(int64_t days, int64_t before,
                      const std::function<Status(const UidRow&)>& each);
    // The last events, oldest first.
    android::base::Result<std::vector<HistoryEvent>> Events(size_t last);

    Status DropWear(int64_t id);
    // Drops rows of `days` days, or of any if 0, that begin before `before`.
    Status DropLatency(int64_t days, int64_t before);
    Status DropUids(int64_t days, int64_t before);
    Status DropAllButLastEvents(size_t kept);

    // Number of rows skipped because of impossible values.
    uint64_t unreadable() const { return unreadable_; }

  private:
    Database& database_;
    uint64_t unreadable_ = 0;
};

}  // namespace storekeeper
