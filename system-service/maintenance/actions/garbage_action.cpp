// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/garbage_action.h"

#include <algorithm>
#include <optional>

#include "mounts/mountinfo.h"

namespace storekeeper {

using android::base::Result;

std::string GarbageAction::WhyNot() const {
    const std::string never = lease_.WhyNever();
    if (!never.empty()) return never;
    const Result<DataVolume> data = FindDataVolume(seams_.files);
    if (!data.ok()) return data.error().message();
    if (data->mount.type != "f2fs") return "/data is " + data->mount.type + ", not f2fs";
    return memory_.LeftBytes() == 0 ? "the write budget of the week is used up" : "";
}

ActionPlan GarbageAction::Plan() const {
    ActionPlan plan{.action = std::string(name()), .what = WhyNot()};
    if (!plan.what.empty()) return plan;
    plan.would_act = true;
    plan.written_bytes = std::min(memory_.LeftBytes(), lease_.terms().most_written_bytes);
    plan.what = "f2fs collects garbage for at most " +
                std::to_string(lease_.terms().longest.count()) + " s";
    return plan;
}

ActionReceipt GarbageAction::Run(const TrimRequest& /* request */, const StopSignal& stop,
                                 const StopAsker& /* ask */) {
    ActionReceipt receipt{.action = std::string(name()), .note = WhyNot()};
    if (!receipt.note.empty()) return receipt;
    const Result<DataVolume> data = FindDataVolume(seams_.files);
    const Result<std::optional<GcLease::Result>> lease =
            data.ok() ? lease_.Run(data->mount.device, memory_.LeftBytes(), stop)
                      : Result<std::optional<GcLease::Result>>(data.error());
    if (!lease.ok()) {
        receipt.outcome = ActionOutcome::kFailed;
        receipt.note = lease.error().message();
    } else if (lease->has_value()) {
        const GcLease::Result& done = **lease;
        receipt.outcome = stop.raised() ? ActionOutcome::kStopped : ActionOutcome::kDone;
        receipt.note = "from " + std::to_string(done.dirty_before) + " to " +
                       std::to_string(done.dirty_after) + " dirty segments; ended: " + done.ended;
        receipt.duration = done.duration;
        receipt.written_bytes = done.written_bytes;
        memory_.Charge(done.written_bytes);
    }
    return receipt;
}

}  // namespace storekeeper
