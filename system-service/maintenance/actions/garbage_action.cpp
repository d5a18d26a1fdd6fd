// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/garbage_action.h"

#include <algorithm>
#include <optional>

#include "base/try.h"
#include "mounts/members.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

Result<GarbageAction::Offer> GarbageAction::Examine() const {
    if (const std::string never = lease_.WhyNever(); !never.empty()) return Error() << never;
    const DataVolume data = TRY(FindDataVolume(seams_.files));
    if (data.mount.type != "f2fs") return Error() << "/data is " << data.mount.type << ", not f2fs";
    const uint64_t left = memory_.RemainingBytes();
    if (left == 0) return Error() << "the write budget of the week is used up";
    return Offer{.devices = MembersOf(seams_.files, data.mount).devices,
                 .most_bytes = std::min(left, lease_.terms().most_written_bytes)};
}

ActionPlan GarbageAction::Plan() const {
    ActionPlan plan{.action = std::string(name())};
    const Result<Offer> offer = Examine();
    if (!offer.ok()) {
        plan.what = offer.error().message();
        return plan;
    }
    plan.would_act = true;
    plan.written_bytes = offer->most_bytes;
    plan.what = "f2fs collects garbage for at most " +
                std::to_string(lease_.terms().longest.count()) + " s";
    return plan;
}

// Charges the budget first: after a crash or a power cut f2fs must not write the same again and
// again.
Result<std::optional<GcLease::Result>> GarbageAction::Collect(const Offer& offer,
                                                              const StopSignal& stop) {
    TRY(memory_.Charge(offer.most_bytes));
    const Result<std::optional<GcLease::Result>> lease =
            lease_.Run(offer.devices, offer.most_bytes, stop);
    const uint64_t written =
            lease.ok() && lease->has_value() ? (*lease)->written_bytes : uint64_t{0};
    memory_.Correct(offer.most_bytes, written);
    return lease;
}

ActionReceipt GarbageAction::Run(const StopSignal& stop) {
    ActionReceipt receipt{.action = std::string(name())};
    const Result<Offer> offer = Examine();
    if (!offer.ok()) {
        receipt.note = offer.error().message();
        return receipt;
    }
    const Result<std::optional<GcLease::Result>> lease = Collect(*offer, stop);
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
    }
    return receipt;
}

}  // namespace storekeeper
