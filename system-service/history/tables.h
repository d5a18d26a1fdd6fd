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

// "StKp" in the file's header: what makes it ours (fileformat2 1.3.13).
inline constexpr int64_t kHistoryApplicationId = 0x53744b70;

// What leads from each version of the tables to the next, the first from an empty file. A version
// that has been released is never changed.
std::span<const char* const> HistoryMigrations();

// Makes an empty file one of the newest version, or brings an older one there, in one transaction.
// A file that is not ours, of a later version or damaged is refused unchanged, with the reason.
android::base::Result<void> BringUpToDate(Database* database, uint64_t max_bytes);

// An open file of ours, of any version; true of a damaged one whose first page can be read.
bool IsHistory(Database* database);

// The tables as rows: what is written and read, without a choice of what to keep.
class HistoryTables {
  public:
    using Status = android::base::Result<void>;
    struct WearRow {
        int64_t id = 0;
        WearSample sample;
    };

    explicit HistoryTables(Database* database) : database_(*database) {}

    Status Put(const WearSample& sample);
    // Adds to what its days have already.
    Status Put(const LatencyRow& row);
    Status Put(const UidRow& row);
    Status Put(const HistoryEvent& event);

    // Of the last batch of rows; 0 before the first.
    Status PutBatchNumber(int64_t number);
    android::base::Result<int64_t> BatchNumber();

    // All, oldest first.
    android::base::Result<std::vector<WearRow>> Wear();
    // How many rows each source and kind has.
    android::base::Result<std::map<std::pair<LatencySource, IoKind>, size_t>> LatencyCounts();
    // By day, source and kind; rows of `days` days alone when that is not 0, and of days before
    // `before`. Stops with the error of `each`.
    Status ForEachLatency(int64_t days, int64_t before,
                          const std::function<Status(const LatencyRow&)>& each);
    Status ForEachUid(int64_t days, int64_t before,
                      const std::function<Status(const UidRow&)>& each);
    // The last ones, oldest first.
    android::base::Result<std::vector<HistoryEvent>> Events(size_t last);

    Status DropWear(int64_t id);
    // Rows of `days` days, 0 for any, before a day.
    Status DropLatency(int64_t days, int64_t before);
    Status DropUids(int64_t days, int64_t before);
    Status DropAllButLastEvents(size_t kept);

    // Rows that were passed over because what stands in them cannot be.
    uint64_t unreadable() const { return unreadable_; }

  private:
    Database& database_;
    uint64_t unreadable_ = 0;
};

}  // namespace storekeeper
