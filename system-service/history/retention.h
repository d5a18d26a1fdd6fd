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

// How long what is kept how finely. Spans fold in whole multiples, so that sums stay exact.
inline constexpr int64_t kWeekDays = 7;
inline constexpr int64_t kMonthDays = 28;
inline constexpr int64_t kKeptByDay = 56;    // days; up to 27 more until their month is full
inline constexpr int64_t kKeptByWeek = 364;  // days; likewise
// Months kept, counted by rows and not by the clock, which may jump: five years.
inline constexpr int64_t kMonthsKept = 66;
inline constexpr size_t kEventsKept = 200;
// Of the file's pages, in percent: above it the oldest rows go, however young.
inline constexpr int64_t kFullPct = 90;

// Something between the two has changed that a ledger must see: the wear, the chip, who reported
// it, or the file system, which has written less than before.
bool IsTurn(const WearSample& before, const WearSample& after);

// Whether `sample` is worth a row of its own after `last`: a turn, or another day.
bool IsNews(const WearSample& last, const WearSample& sample);

// Those of `samples`, oldest first, that are left when one of each week is enough before `day`: the
// week's last, both sides of each turn, the first and the last of all. Their places, ascending.
std::vector<size_t> WeeklyBefore(std::span<const WearSample> samples, int64_t day);

// At most `most` of the samples: both sides of turns first (the newest where they are too many),
// then the first and the last, then others evenly spread. Their places, ascending.
std::vector<size_t> EvenlyThinned(std::span<const WearSample> samples, size_t most);

// The day before which nothing is kept by day. It moves every 28 days: until then there is nothing
// to do.
int64_t FoldedBefore(int64_t today);

// Whether more than kFullPct of `max_bytes` hold rows.
android::base::Result<bool> IsNearlyFull(Database* database, uint64_t max_bytes);

// Thins out what is older, within a transaction of the caller's; returns how many rows could not be
// read and were dropped.
android::base::Result<uint64_t> ThinOut(Database* database, int64_t today, uint64_t max_bytes);

}  // namespace storekeeper
