// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Work of the Keeper on chips between runs.

#include <errno.h>

#include <string>

#include "base/try.h"
#include "maintenance/canary/chip_guard.h"
#include "maintenance/keeper.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kPropertyQuarantine[] = "storekeeper.status.trim_quarantine";

}  // namespace

void Keeper::RecheckChips() {
    const std::vector<ChipTrust> before = seams_.run.chips().chips();
    seams_.run.chips().Recheck();
    // A gate may have opened, or closed for ever.
    if (seams_.run.chips().chips() != before) hooks_.wake();
}

void Keeper::PublishQuarantine() {
    std::string since;
    for (const ChipTrust& trust : seams_.run.chips().chips()) {
        if (trust.state == ChipTrust::State::kQuarantined) {
            since = std::to_string(trust.since.wall.count());
        }
    }
    PublishChange(kPropertyQuarantine, since);
}

Result<size_t> Keeper::LiftQuarantine() {
    if (seams_.run.report_only()) return ResultFailure(kReportOnlyText, EPERM);
    if (worker_.progress().running) {
        return Error(EBUSY) << "a run is in progress: abort it, or wait for its end";
    }
    const size_t lifted = TRY(seams_.run.chips().LiftQuarantine());
    PublishQuarantine();
    hooks_.wake();
    return lifted;
}

}  // namespace storekeeper
