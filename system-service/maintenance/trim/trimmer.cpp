// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/trimmer.h"

#include <android-base/logging.h>
#include <errno.h>
#include <fcntl.h>

#include <utility>

#include "base/diskstats.h"
#include "base/try.h"
#include "mounts/block_device.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using std::chrono::seconds;

// Where the canary stands.
constexpr std::string_view kCanaryMount = "/data";

// A disk that nobody has used for so long can be stopped without anybody noticing.
constexpr seconds kQuiet(1);
// Others' writes wait in a throttled queue: longer than while it is stopped.
constexpr seconds kMaxThrottled(10);

// Reads and writes of the disk so far. Absent where the kernel does not report.
std::optional<uint64_t> Requests(const FileReader& files, dev_t disk) {
    const Result<DiskStats> stats = ReadDiskStats(files, {disk});
    if (!stats.ok()) return std::nullopt;
    return stats->reads + stats->writes;
}

// In a run of all mounts: the mount is passed over as it is today, nothing went wrong.
bool IsPassedOver(TrimOutcome outcome) {
    switch (outcome) {
        case TrimOutcome::kNotMounted:
        case TrimOutcome::kReadOnly:
        case TrimOutcome::kNoDiscard:
        case TrimOutcome::kDuplicate:
        case TrimOutcome::kNoTrim:
            return true;
        default:
            return false;
    }
}

void Conclude(bool all_mounts, TrimReceipt* receipt) {
    const MountReceipt* first_failure = nullptr;
    const MountReceipt* first_refusal = nullptr;
    bool trimmed = false;
    for (const MountReceipt& mount : receipt->mounts) {
        if (mount.outcome == TrimOutcome::kTrimmed) {
            trimmed = true;
        } else if (all_mounts && IsPassedOver(mount.outcome)) {
            if (first_refusal == nullptr) first_refusal = &mount;
        } else if (first_failure == nullptr) {
            first_failure = &mount;
        }
    }
    if (first_failure == nullptr && !trimmed) first_failure = first_refusal;
    if (first_failure != nullptr) {
        receipt->outcome = first_failure->outcome;
        receipt->reason = first_failure->reason;
    } else if (trimmed) {
        receipt->outcome = TrimOutcome::kTrimmed;
        receipt->complete = all_mounts;
    } else {
        receipt->outcome = TrimOutcome::kNotGiven;
        receipt->reason = "no mounts to trim: ro.storekeeper.trim.mounts is empty";
    }
}

}  // namespace

Trimmer::Trimmer(const TrimSeams& seams, TrimRules rules)
      : seams_(seams), rules_(std::move(rules)) {}

std::vector<Selection> Trimmer::SelectGiven() const {
    Result<std::string> mountinfo = seams_.files.ReadTable(kMountinfoPath);
    if (!mountinfo.ok()) return {};
    const MountTable table = ParseMountinfo(*mountinfo);
    return Select(ExpandGiven(rules_.given, table), table);
}

std::vector<Selection> Trimmer::Select(const std::vector<std::string>& wanted,
                                       const MountTable& table) const {
    std::vector<Selection> selections = SelectMounts(wanted, rules_, table, seams_.files);
    for (Selection& selection : selections) {
        if (!selection.eligible()) continue;
        const auto quarantine = seams_.chips.Quarantine(selection.members.devices);
        if (!quarantine.has_value()) continue;
        selection.outcome = TrimOutcome::kChipQuirk;
        selection.reason = selection.path + ": not trimmed: " + *quarantine;
        selection.quarantined = true;
    }
    return selections;
}

std::optional<std::string> Trimmer::Refusal() const {
    std::optional<std::string> refusal;
    for (const Selection& selection : SelectGiven()) {
        if (selection.eligible()) return std::nullopt;
        if (selection.outcome == TrimOutcome::kChipQuirk) refusal = selection.reason;
    }
    return refusal;
}

std::optional<std::string> Trimmer::Waiting() const {
    std::optional<std::string> waiting;
    if (!seams_.chips.AnyWaits()) return waiting;
    for (const Selection& selection : SelectGiven()) {
        if (!selection.eligible()) continue;
        waiting = seams_.chips.Waiting(selection.members.devices);
        if (!waiting.has_value()) return std::nullopt;
    }
    return waiting;
}

Result<DiscardSample> Trimmer::DiscardRange(const Selection& selection, TrimRange range,
                                            const StopSignal& stop) const {
    unique_fd fd = TRY(seams_.syscalls.Open(selection.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    TRY(CheckIsThere(seams_.files, selection.mount.device));
    if (TRY(seams_.syscalls.Fstat(fd)).st_dev != selection.mount.device) {
        return Error(ESTALE) << selection.path << ": another mount covers it";
    }
    const std::unique_ptr<TrimSession> session =
            TRY(seams_.fitrim.Begin(std::move(fd), selection.path));
    DiscardSample discarded{.limit_bytes = range.length, .discards = 1, .extents = 1};
    // What was suspended may be unfinished.
    for (bool suspended = true; suspended;) {
        const TrimAnswer answer = TRY(session->Trim(range, stop, [] { return false; }));
        discarded.bytes += answer.bytes;
        discarded.took += answer.took;
        suspended = answer.suspended && !stop.raised();
    }
    return discarded;
}

MountReceipt Trimmer::TrimMount(const Selection& selection, const Selection& data,
                                const TrimRequest& request, const StopSignal& stop,
                                const StopAsker& ask) const {
    std::optional<DiscardSample> seen;
    const ChipGuard::Discard discard = [&](uint64_t start, uint64_t length) -> Result<uint64_t> {
        const DiscardSample sample =
                TRY(DiscardRange(data, {.start = start, .length = length}, stop));
        if (data.mount.device == selection.mount.device) seen = sample;
        return sample.bytes;
    };
    const std::vector<dev_t>& devices = selection.members.devices;
    Lulls lulls(seams_.files, seams_.clock, seams_.pauser, stop,
                DisksOf(seams_.files, devices).value_or(devices));
    const LullWaiter await_lull = [&] { lulls.Await(); };
    const auto [admission, written_bytes] =
            seams_.chips.Examine(devices,
                                 {.manual = request.manual,
                                  .discard = data.eligible() ? &discard : nullptr,
                                  .await_lull = request.hurry ? LullWaiter() : await_lull});
    MountReceipt mount{.mount = selection.path};
    if (admission.answer == TrimAdmission::Answer::kGo) {
        const auto budget = request.hurry ? rules_.hurried_discard_budget : rules_.discard_budget;
        mount = MountPass(seams_, selection, request, {budget, seen}, stop, ask).Run();
    } else if (admission.answer == TrimAdmission::Answer::kNever) {
        mount.outcome = TrimOutcome::kChipQuirk;
        mount.reason = selection.path +
                       ": not trimmed: a discard has damaged data on the chip: " + admission.why;
    } else {
        mount.outcome = TrimOutcome::kBusy;
        mount.reason = selection.path +
                       ": not trimmed yet: the canary of the chip is read again after a restart";
    }
    mount.canary = admission.verdict;
    mount.canary_note = admission.why;
    mount.canary_written_bytes = written_bytes;
    return mount;
}

std::vector<Trimmer::Planned> Trimmer::Plan() const {
    std::vector<Planned> plan;
    for (Selection& selection : SelectGiven()) {
        Planned planned{.selection = std::move(selection)};
        if (planned.selection.eligible()) {
            Result<PassPlan> pass = PlanPass(seams_, planned.selection);
            if (pass.ok()) {
                planned.pass = *pass;
            } else {
                planned.problem = pass.error().message();
            }
        }
        plan.push_back(std::move(planned));
    }
    return plan;
}

TrimReceipt Trimmer::Run(const TrimRequest& request, const StopSignal& stop, const Hooks& hooks) {
    TrimReceipt receipt{.manual = request.manual,
                        .started = seams_.clock.SinceBoot(),
                        .started_wall = seams_.clock.Wall()};
    const bool all_mounts = request.mounts.empty();
    LOG(INFO) << "Starting fstrim work...";
    Result<std::string> mountinfo = seams_.files.ReadTable(kMountinfoPath);
    if (!mountinfo.ok()) {
        receipt.reason = mountinfo.error().message();
        LOG(ERROR) << "Cannot trim: " << receipt.reason;
        return receipt;
    }
    std::optional<std::string> stop_reason = stop.reason();
    // A gate that has closed stays closed for this run.
    const StopAsker ask = [&]() -> std::optional<std::string> {
        if (!stop_reason.has_value()) stop_reason = hooks.why_stop(request);
        return stop_reason;
    };
    const Result<void> permitted = hooks.may_trim ? hooks.may_trim() : Result<void>();
    MountTable table = ParseMountinfo(*mountinfo);
    for (const std::string& problem : table.problems) LOG(WARNING) << problem;
    receipt.refused = !all_mounts;
    Selection data;
    for (Selection& given : Select(ExpandGiven(rules_.given, table), table)) {
        if (given.eligible() && given.path == kCanaryMount) data = std::move(given);
    }
    for (const Selection& selection :
         Select(all_mounts ? ExpandGiven(rules_.given, table) : request.mounts, table)) {
        MountReceipt mount{.mount = selection.path,
                           .outcome = selection.outcome,
                           .reason = selection.reason};
        if (selection.eligible()) receipt.refused = false;
        if (selection.quarantined) mount.canary = "quarantined";
        if (stop_reason.has_value()) {
            mount.outcome = TrimOutcome::kAborted;
            mount.reason = selection.path +
                           ": not trimmed, the run was stopped before it: " + *stop_reason;
        } else if (selection.eligible() && !permitted.ok()) {
            mount.outcome = OutcomeOf(permitted.error().code());
            mount.reason = selection.path + ": not trimmed: " + permitted.error().message();
        } else if (selection.eligible()) {
            hooks.progress(selection.path);
            mount = TrimMount(selection, data, request, stop, ask);
        }
        if (mount.outcome != TrimOutcome::kTrimmed) {
            LOG(INFO) << "Not trimmed: " << mount.reason;
        } else if (mount.filesystem_bytes.has_value()) {
            LOG(INFO) << "Trimmed " << *mount.filesystem_bytes << " bytes on " << mount.mount;
        } else {
            LOG(WARNING) << "Trimmed " << mount.mount << ": " << mount.note;
        }
        if (!stop_reason.has_value()) stop_reason = stop.reason();
        receipt.mounts.push_back(std::move(mount));
    }
    // Whoever stopped it wants the disk now.
    const Result<void> back = stop_reason.has_value() ? RestoreQueue() : Result<void>();
    if (!back.ok() && !receipt.mounts.empty()) {
        receipt.mounts.back().AddNote(back.error().message());
    }
    Conclude(all_mounts, &receipt);
    receipt.duration = seams_.clock.SinceBoot() - receipt.started;
    LOG(INFO) << "Finished fstrim work.";
    return receipt;
}

void Trimmer::GiveQueueBack(const StopSignal& next) {
    const std::optional<dev_t> disk = seams_.queue.throttled();
    if (!disk.has_value()) return;
    const BootTime latest = seams_.clock.SinceBoot() + kMaxThrottled;
    std::optional<uint64_t> seen = Requests(seams_.files, *disk);
    for (bool used = seen.has_value(); used && seams_.clock.SinceBoot() < latest;) {
        seams_.pauser.Pause(kQuiet, next);
        if (next.raised()) return;
        const std::optional<uint64_t> before = std::exchange(seen, Requests(seams_.files, *disk));
        used = seen.has_value() && seen != before;
    }
    static_cast<void>(RestoreQueue());
}

Result<void> Trimmer::RestoreQueue() {
    Result<void> back = seams_.queue.Restore();
    if (!back.ok()) LOG(ERROR) << back.error().message();
    return back;
}

}  // namespace storekeeper
