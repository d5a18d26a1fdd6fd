// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/write_budget.h"

namespace storekeeper {

WriteBudget::Week WriteBudget::WeekAt(const Week& week, const RunStamp& now) {
    // The first week begins at the first look. If the kernel hides the boot's id, a week without
    // writes begins anew at each look, and the whole uptime counts for one with writes.
    if (week.began.at.boot_id.empty() && week.written_bytes == 0) return {.began = {.at = now}};
    const RunAge age = BringUpToDate(week.began, now);
    if (age.powered >= kWeek) return {.began = {.at = now}};
    return {.began = age, .written_bytes = week.written_bytes};
}

}  // namespace storekeeper
