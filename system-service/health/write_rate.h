// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <vector>

#include "health/ledger.h"

namespace storekeeper {

// Bytes written in each whole week that the chip was watched, the newest first and ending at the
// newest sample; at most `most`. Empty where the file system does not report. What was written over
// a gap or a jump of the clock is in no week.
std::vector<double> WeeklyBytes(const Ledger& ledger, size_t most);

// Bytes a day.
struct WriteRate {
    double low = 0;
    double middle = 0;
    double high = 0;
};

// The Theil-Sen slope of the last 13 weeks: the median of the slopes between all points that lie at
// least four weeks apart, with the tenth and the ninetieth of a hundred as its range. An
// error says why there is none: fewer than six weeks, next to nothing written, or a range that
// spans more than a factor of 9.
android::base::Result<WriteRate> RecentWriteRate(const Ledger& ledger);

}  // namespace storekeeper
