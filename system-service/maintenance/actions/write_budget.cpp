// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/write_budget.h"

namespace storekeeper {

WriteBudget::Week WriteBudget::At(const Week& week, const RunStamp& now) {
    // The first one begins with the first look at it. A kernel that hides its boot's id ends none.
    if (week.began.at.boot_id.empty() && week.written_bytes == 0) return {.began = {.at = now}};
    const RunAge age = BringUpToDate(week.began, now);
    if (age.powered >= kWeek) return {.began = {.at = now}};
    return {.began = age, .written_bytes = week.written_bytes};
}

}  // namespace storekeeper
