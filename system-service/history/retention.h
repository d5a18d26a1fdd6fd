// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "health/wear_sample.h"
#include "history/database.h"
#include "history/rows.h"

namespace storekeeper {

// Retention periods and resolutions. Spans are multiples of each other, so that sums stay exact.
inline constexpr int64_t kWeekDays = 7;
inline constexpr int64_t kMonthDays = 28;
inline constexpr int64_t kKeptByDay = 56;    // days; up to 27 more until their month is complete
inline constexpr int64_t kKeptByWeek = 364;  // days; also up to 27 more
// About five years, counted in stored months, because the clock may jump.
inline constexpr int64_t kMonthsKept = 66;
inline constexpr size_t kEventsKept = 200;
// Percentage of the file's pages above which the oldest rows are dropped, regardless of age.
inline constexpr int64_t kFullPct = 90;

// True if a ledger must see both samples, because wear, chip or source changed, or the file
// system's counter decreased.
bool IsTurn(const WearSample& before, const WearSample& after);

// True if `sample` deserves a row of its own after `last`: a turn, or another day.
bool DeservesRow(const WearSample& last, const WearSample& sample);

// Thins `samples` (oldest first) before `day` to one per week. Keeps the last sample of each week,
// both sides of each turn, and the first and the last sample of all. Returns ascending indices.
std::vector<size_t> WeeklyBefore(std::span<const WearSample> samples, int64_t day);

// Chooses at most `most` samples. Both sides of turns and the two ends come first; if these are too
// many, the oldest of them are dropped. The rest is spread evenly. Returns ascending indices.
std::vector<size_t> EvenlyThinned(std::span<const WearSample> samples, size_t most);

// First day that is kept by day. It moves every 28 days; in between there is nothing to thin out.
int64_t FoldedBefore(int64_t today);

// True if rows fill more than kFullPct of `max_bytes`.
android::base::Result<bool> IsNearlyFull(Database* database, uint64_t max_bytes);

// Thins out old rows within the caller's transaction. Returns the number of unreadable rows, which
// are dropped.
android::base::Result<uint64_t> ThinOut(Database* database, int64_t today, uint64_t max_bytes);

}  // namespace storekeeper
