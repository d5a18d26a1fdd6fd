// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/maintenance_run.h"

#include <android-base/logging.h>

#include <algorithm>
#include <optional>
#include <string>

namespace storekeeper {
namespace {

using android::base::Result;

constexpr char kData[] = "/data";

bool Names(const std::vector<std::string>& mounts, const std::string& mount) {
    return std::find(mounts.begin(), mounts.end(), mount) != mounts.end();
}

}  // namespace

TrimReceipt MaintenanceRun::Run(const TrimRequest& request, const StopSignal& stop,
                                const Trimmer::Hooks& hooks) {
    std::vector<ActionReceipt> receipts;
    const BootTime begun = trimmer_.Now();
    // A gate that has closed stays closed for this run.
    std::optional<std::string> closed;
    const StopAsker ask = [&]() -> std::optional<std::string> {
        if (!closed.has_value()) closed = stop.reason();
        if (!closed.has_value()) closed = hooks.why_stop(request);
        return closed;
    };
    const Result<void> permitted = hooks.may_trim ? hooks.may_trim() : Result<void>();
    const auto act = [&](const std::vector<MaintenanceAction*>& actions) {
        for (MaintenanceAction* action : actions) {
            if (!permitted.ok() || ask().has_value()) return;
            if (hooks.acts) hooks.acts(std::string(action->name()));
            ActionReceipt receipt = action->Run(request, stop, ask);
            // The plan says why.
            if (receipt.outcome == ActionOutcome::kNothing) continue;
            LOG(INFO) << receipt.action << ": " << NameOf(receipt.outcome) << ", " << receipt.note;
            receipts.push_back(std::move(receipt));
        }
    };
    const bool all = request.mounts.empty();
    const bool data = Names(trimmer_.given(), kData) && (all || Names(request.mounts, kData));
    // A chip in quarantine is left alone: f2fs discards what it collects.
    if (data && !trimmer_.Refusal().has_value()) act(actions_.before);
    if (hooks.acts) hooks.acts("trim");
    Trimmer::Hooks trimming = hooks;
    trimming.why_stop = [&](const TrimRequest&) { return ask(); };
    // It was asked.
    trimming.may_trim = [&] { return permitted; };
    TrimReceipt receipt = trimmer_.Run(request, stop, trimming);
    if (!request.past_gates) {
        const bool acts = std::any_of(actions_.after.begin(), actions_.after.end(),
                                      [](const auto* action) { return action->Plan().would_act; });
        // They take minutes, and need no throttled queue.
        if (acts) static_cast<void>(trimmer_.RestoreQueue());
        act(actions_.after);
    }
    receipt.actions = std::move(receipts);
    receipt.started = begun;
    receipt.duration = trimmer_.Now() - begun;
    return receipt;
}

RunPlan MaintenanceRun::Plan() const {
    RunPlan plan{.mounts = trimmer_.Plan()};
    for (const auto* actions : {&actions_.before, &actions_.after}) {
        for (const MaintenanceAction* action : *actions) plan.actions.push_back(action->Plan());
    }
    return plan;
}

Result<void> MaintenanceRun::Restore() {
    Result<void> done = {};
    for (const auto* actions : {&actions_.before, &actions_.after}) {
        for (MaintenanceAction* action : *actions) {
            if (Result<void> back = action->Restore(); !back.ok()) done = back;
        }
    }
    return done;
}

}  // namespace storekeeper
