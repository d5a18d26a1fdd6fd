// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/maintenance_run.h"

#include <android-base/logging.h>
#include <errno.h>

#include <algorithm>

#include "base/try.h"
#include "mounts/mount_audit.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Result;

// The canary is a file of this mount.
constexpr char kData[] = "/data";

// A run of all mounts ignores these: such a mount is as it should be, and nothing failed.
bool IsIgnored(TrimOutcome outcome) {
    switch (outcome) {
        case TrimOutcome::kNotMounted:
        case TrimOutcome::kReadOnly:
        case TrimOutcome::kNoDiscard:
        case TrimOutcome::kDuplicate:
        case TrimOutcome::kNoTrim:
        case TrimOutcome::kChipQuirk:
            return true;
        default:
            return false;
    }
}

void SetOutcome(bool all_mounts, TrimReceipt* receipt) {
    const MountReceipt* failure = nullptr;
    const MountReceipt* ignored = nullptr;
    bool trimmed = false;
    for (const MountReceipt& mount : receipt->mounts) {
        if (mount.outcome == TrimOutcome::kTrimmed) {
            trimmed = true;
        } else if (all_mounts && IsIgnored(mount.outcome)) {
            if (ignored == nullptr) ignored = &mount;
        } else if (failure == nullptr) {
            failure = &mount;
        }
    }
    if (failure == nullptr && !trimmed) failure = ignored;
    if (failure != nullptr) {
        receipt->outcome = failure->outcome;
        receipt->reason = failure->reason;
    } else if (trimmed) {
        receipt->outcome = TrimOutcome::kTrimmed;
        receipt->complete = all_mounts;
    } else {
        receipt->outcome = TrimOutcome::kNotGiven;
        receipt->reason = "no mounts to trim: ro.storekeeper.trim.mounts is empty";
    }
}

void Log(const MountReceipt& mount) {
    if (mount.outcome != TrimOutcome::kTrimmed) {
        LOG(INFO) << "Not trimmed: " << mount.reason;
    } else if (mount.filesystem_bytes.has_value()) {
        LOG(INFO) << "Trimmed " << *mount.filesystem_bytes << " bytes on " << mount.mount;
    } else {
        LOG(WARNING) << "Trimmed " << mount.mount << ": " << mount.note;
    }
}

}  // namespace

std::vector<Selection> MaintenanceRun::Select(const std::vector<std::string>& wanted,
                                              const MountTable& table) const {
    std::vector<Selection> selections = SelectMounts(wanted, rules_, table, seams_.files);
    for (Selection& selection : selections) {
        if (!selection.eligible()) continue;
        const auto quarantine = seams_.chips.QuarantineReason(selection.members.devices);
        if (!quarantine.has_value()) continue;
        selection.outcome = TrimOutcome::kChipQuirk;
        selection.reason = selection.path + ": not trimmed: " + *quarantine;
        selection.quarantined = true;
    }
    return selections;
}

std::vector<Selection> MaintenanceRun::SelectConfigured() const {
    const Result<std::string> mountinfo = seams_.files.ReadTable(kMountinfoPath);
    if (!mountinfo.ok()) return {};
    const MountTable table = ParseMountinfo(*mountinfo);
    return Select(ExpandConfigured(rules_.configured, table), table);
}

Selection MaintenanceRun::SelectData() const {
    for (Selection& selection : SelectConfigured()) {
        if (selection.path == kData) return std::move(selection);
    }
    return {};
}

std::vector<Refusal> MaintenanceRun::Refusals() const {
    bool may_trim = false;
    std::optional<Refusal> chip;
    for (const Selection& selection : SelectConfigured()) {
        if (selection.outcome == TrimOutcome::kChipQuirk) chip = {"chip", selection.reason};
        if (!selection.eligible()) continue;
        may_trim = true;
        const auto why = seams_.chips.WaitReason(selection.members.devices);
        if (why.has_value()) return {{"canary", *why}};
    }
    if (may_trim || !chip.has_value()) return {};
    return {*chip};
}

RunPlan MaintenanceRun::Plan() const {
    RunPlan plan;
    std::vector<Selection> selections = SelectConfigured();
    plan.mounts_left_out = KeepListedMounts(
            rules_.configured, [](const Selection& selection) { return selection.path; },
            &selections);
    for (Selection& selection : selections) {
        PlannedMount planned{.selection = std::move(selection)};
        if (planned.selection.eligible()) {
            const Result<PassPlan> pass = PlanPass(seams_, planned.selection);
            if (pass.ok()) {
                planned.pass = *pass;
            } else {
                planned.problem = pass.error().message();
            }
        }
        plan.mounts.push_back(std::move(planned));
    }
    for (const auto* actions : {&actions_.before, &actions_.after}) {
        for (const MaintenanceAction* action : *actions) plan.actions.push_back(action->Plan());
    }
    return plan;
}

Result<void> MaintenanceRun::Restore() {
    // A report-only policy denies the requests to init, to read and to set.
    if (rules_.report_only) return {};
    const std::unique_lock idle(busy_, std::try_to_lock);
    if (!idle.owns_lock()) return {};
    Result<void> done = seams_.queue.Restore();
    for (const auto* actions : {&actions_.before, &actions_.after}) {
        for (MaintenanceAction* action : *actions) {
            if (const Result<void> back = action->Restore(); !back.ok()) done = back;
        }
    }
    return done;
}

void MaintenanceRun::Act(const std::vector<MaintenanceAction*>& actions, const StopSignal& stop,
                         const Progress& progress, TrimReceipt* receipt) {
    for (MaintenanceAction* action : actions) {
        if (stop.raised()) return;
        progress(std::string(action->name()), "");
        ActionReceipt done = action->Run(stop);
        // The plan says why nothing was done.
        if (done.outcome == ActionOutcome::kNothing) continue;
        LOG(INFO) << done.action << ": " << NameOf(done.outcome) << ", " << done.note;
        receipt->actions.push_back(std::move(done));
    }
}

MountReceipt MaintenanceRun::TrimMount(const Selection& selection, const Selection& data,
                                       const TrimRequest& request, std::optional<CardModel>* model,
                                       const StopSignal& stop) const {
    const ChipGuard::Discard discard = [&](uint64_t start, uint64_t length) -> Result<uint64_t> {
        const std::unique_ptr<TrimSession> session = TRY(BeginSession(seams_, data));
        uint64_t calls = 0;
        return TrimWholeRange(session.get(), {.start = start, .length = length}, stop, &calls);
    };
    const TrimAdmission admission = seams_.chips.Examine(selection.members.devices, request.manual,
                                                         data.eligible() ? &discard : nullptr);
    MountReceipt mount{.mount = selection.path};
    switch (admission.answer) {
        case TrimAdmission::Answer::kGo:
            mount = TrimPass(seams_, selection, request, rules_.discard_budget, model, stop).Run();
            break;
        case TrimAdmission::Answer::kNever:
            mount.outcome = TrimOutcome::kChipQuirk;
            mount.reason =
                    selection.path +
                    ": not trimmed: a discard has damaged data on the chip: " + admission.why;
            break;
        case TrimAdmission::Answer::kWait:
            mount.outcome = TrimOutcome::kBusy;
            mount.reason = selection.path +
                           ": not trimmed yet: the canary of the chip is read again after a "
                           "restart";
            break;
    }
    mount.canary = admission.verdict;
    mount.canary_note = admission.why;
    mount.canary_written_bytes = admission.written_bytes;
    return mount;
}

void MaintenanceRun::TrimMounts(const TrimRequest& request, const StopSignal& stop,
                                const Trim& trim, TrimReceipt* receipt) const {
    LOG(INFO) << "Starting fstrim work...";
    const Result<std::string> mountinfo = seams_.files.ReadTable(kMountinfoPath);
    if (!mountinfo.ok()) {
        receipt->reason = mountinfo.error().message();
        LOG(ERROR) << "Cannot trim: " << receipt->reason;
        return;
    }
    const MountTable table = ParseMountinfo(*mountinfo);
    for (const std::string& problem : table.problems) LOG(WARNING) << problem;
    const std::vector<std::string> configured = ExpandConfigured(rules_.configured, table);
    const bool all_mounts = request.mounts.empty();
    receipt->refused = !all_mounts;
    for (const Selection& selection : Select(all_mounts ? configured : request.mounts, table)) {
        MountReceipt mount{.mount = selection.path,
                           .outcome = selection.outcome,
                           .reason = selection.reason};
        if (selection.quarantined) mount.canary = "quarantined";
        if (selection.eligible()) {
            receipt->refused = false;
            if (const std::optional<std::string> stopped = stop.reason(); stopped.has_value()) {
                mount.outcome = TrimOutcome::kAborted;
                mount.reason = selection.path +
                               ": not trimmed, the run was stopped before it: " + *stopped;
            } else {
                mount = trim(selection);
            }
        }
        Log(mount);
        receipt->mounts.push_back(std::move(mount));
    }
    SetOutcome(all_mounts, receipt);
    LOG(INFO) << "Finished fstrim work.";
}

TrimReceipt MaintenanceRun::Refuse(const TrimRequest& request, const ResultFailure& why) const {
    TrimReceipt receipt{.manual = request.manual,
                        .started = seams_.clock.SinceBoot(),
                        .started_wall = seams_.clock.Wall()};
    const auto refuse = [&](const Selection& selection) {
        return MountReceipt{.mount = selection.path,
                            .outcome = OutcomeOf(why.code()),
                            .reason = selection.path + ": not trimmed: " + why.message()};
    };
    TrimMounts(request, StopSignal(), refuse, &receipt);
    return receipt;
}

TrimReceipt MaintenanceRun::Run(const TrimRequest& request, const StopSignal& stop,
                                const Progress& progress) {
    const std::lock_guard busy(busy_);
    TrimReceipt receipt{.manual = request.manual,
                        .started = seams_.clock.SinceBoot(),
                        .started_wall = seams_.clock.Wall()};
    const std::vector<std::string>& mounts = request.mounts;
    const bool wants_data =
            mounts.empty() || std::find(mounts.begin(), mounts.end(), kData) != mounts.end();
    // A chip in quarantine is left alone: f2fs discards the garbage that it collects.
    const Selection data = SelectData();
    if (wants_data && data.eligible()) Act(actions_.before, stop, progress, &receipt);
    progress("trim", "");
    std::optional<CardModel> model;
    const auto trim = [&](const Selection& selection) {
        progress("trim", selection.path);
        return TrimMount(selection, data, request, &model, stop);
    };
    TrimMounts(request, stop, trim, &receipt);
    if (!request.past_gates) Act(actions_.after, stop, progress, &receipt);
    receipt.duration = seams_.clock.SinceBoot() - receipt.started;
    return receipt;
}

}  // namespace storekeeper
