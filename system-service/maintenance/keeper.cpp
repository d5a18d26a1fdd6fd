// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/keeper.h"

#include <android-base/logging.h>
#include <android-base/strings.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/file_reader.h"
#include "base/quantity_text.h"
#include "base/tokens.h"
#include "base/try.h"
#include "maintenance/decision_text.h"
#include "maintenance/policy/policy.h"
#include "maintenance/trim/receipt.h"
#include "maintenance/written.h"
#include "mounts/mount_audit.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// With vold-patches/, vold leaves the trims of its idle maintenance to this owner while the beat is
// younger than a day.
constexpr char kPropertyTrimOwner[] = "storekeeper.trim.owner";
constexpr char kPropertyTrimBeat[] = "storekeeper.trim.beat";
constexpr BootTime kBeatPeriod = std::chrono::hours(6);
constexpr char kPropertyState[] = "storekeeper.status.state";
constexpr char kPropertyLastRun[] = "storekeeper.status.last_run";
constexpr char kPropertyLastOutcome[] = "storekeeper.status.last_outcome";
constexpr char kPropertyWaitingFor[] = "storekeeper.status.waiting_for";
// Rest after power events that came too often.
constexpr BootTime kPowerRest = std::chrono::minutes(15);
// Delay before a run for which there was no thread is begun again.
constexpr BootTime kThreadRetry = std::chrono::minutes(15);
// Delay before a failed save of the state is tried again, if nothing else wakes the daemon.
constexpr BootTime kStateRecheck = std::chrono::minutes(15);
// A run takes minutes; one that hangs must not empty the battery.
constexpr BootTime kMaxAwake = std::chrono::minutes(30);
// Period of reading the gates that announce nothing during a run: a battery heats up by a degree in
// about this time.
constexpr BootTime kRunRecheck = std::chrono::seconds(30);

std::string UnsavedStateText(const Result<void>& kept) {
    return "the state cannot be saved, so nothing is trimmed: " + kept.error().message();
}

// The receipt without mounts that only the caller named, cut to the number of mounts that reports
// list and a record of state.log has room for.
TrimReceipt ReceiptToStore(TrimReceipt receipt, const std::vector<std::string>& configured) {
    if (receipt.manual) {
        std::erase_if(receipt.mounts, [](const MountReceipt& mount) {
            return mount.outcome == TrimOutcome::kNotGiven;
        });
    }
    receipt.mounts_left_out += KeepListedMounts(
            configured, [](const MountReceipt& mount) { return mount.mount; }, &receipt.mounts);
    while (receipt.mounts.size() > 1 &&
           WriteFields(receipt).size() > RecordFile::kMaxPayloadBytes) {
        receipt.mounts.pop_back();
        ++receipt.mounts_left_out;
    }
    return receipt;
}

// The decision of a report-only product: no gate, and no run.
Decision NeverRun(BootTime now) {
    Decision never;
    never.next_check = now + RunMemory::kWritePeriod;
    return never;
}

}  // namespace

Keeper::Keeper(const Seams& seams, Settings settings, Hooks hooks)
      : seams_(seams),
        settings_(std::move(settings)),
        hooks_(std::move(hooks)),
        memory_(seams.records, seams.clock, seams.files.ReadAttribute(kBootIdPath).value_or("")),
        worker_(seams.run, *this) {
    for (const std::string& problem : settings_.problems) LOG(ERROR) << problem;
    last_failure_ = LastFailure(Receipts(RecordFile::kMaxReceipts));
    hooks_.publish(kPropertyState, seams_.run.report_only() ? "report_only" : "idle");
    if (const PolicyState state = memory_.State(); state.last_complete.has_value()) {
        hooks_.publish(kPropertyLastRun, std::to_string(state.last_complete->wall.count()));
    }
}

PolicyInputs Keeper::Inputs(const PolicyState& state, bool wait, bool requested) {
    PolicyInputs inputs{.now = memory_.Now(),
                        .written = ReadWritten(seams_.files, seams_.run.configured()),
                        .requested = requested};
    const bool watch_input = worker_.progress().running || IsDue(inputs, state, config_);
    inputs.refusals = seams_.run.Refusals();
    // A request need not wait for the restart, and a run under way has passed this gate.
    if (requested || worker_.progress().running) {
        std::erase_if(inputs.refusals, [](const Refusal& each) { return each.gate == "canary"; });
    }
    if (const Result<void> kept = memory_.Problem(); !kept.ok()) {
        inputs.refusals.push_back({.gate = "state", .reason = UnsavedStateText(kept)});
    }
    // Readings are taken before "now", so that an input during them is not after it.
    inputs.readings = seams_.inputs.Read(watch_input, wait);
    inputs.now = memory_.Now();
    return inputs;
}

void Keeper::PublishWaiting(const Decision& decision) {
    const bool waits = decision.due && !decision.run;
    PublishChange(kPropertyWaitingFor,
                  waits ? PropertyList(android::base::Split(ClosedGates(decision), " ")) : "");
}

void Keeper::PublishChange(const std::string& name, const std::string& value) {
    {
        MutexLock guard(lock_);
        const auto [last, is_new] = published_.try_emplace(name, value);
        if (!is_new && last->second == value) return;
        last->second = value;
    }
    hooks_.publish(name, value);
}

void Keeper::NoteDecision(const Decision& decision) {
    const std::string closed = ClosedGates(decision);
    MutexLock guard(lock_);
    at_rest_ = std::all_of(decision.gates.begin(), decision.gates.end(), [](const Gate& gate) {
        return gate.pass || (gate.name != "untouched" && gate.name != "storage");
    });
    gate_log_.Note(decision, seams_.clock.SinceBoot());
    if (decision.run) {
        LOG(INFO) << "Maintenance begins: " << DescribeGates(decision, true);
    } else if (closed != logged_decision_) {
        LOG(INFO) << "Maintenance waits for: " << DescribeGates(decision, false);
    }
    logged_decision_ = closed;
}

Keeper::Nap Keeper::NapFor(const Decision& decision) {
    const BootTime now = seams_.clock.SinceBoot();
    MutexLock guard(lock_);
    Nap nap{.deadline = decision.next_check, .watch_power = decision.watch_power};
    if (nap.watch_power && !wakes_.AllowsEvents(decision, now)) {
        nap.watch_power = false;
        nap.deadline = std::min(*nap.deadline, now + kPowerRest);
    }
    if (!memory_.Problem().ok()) nap.deadline = std::min(*nap.deadline, now + kStateRecheck);
    nap.deadline = std::max(*nap.deadline, wakes_.NextAllowed(decision));
    if (!decision.due) nap.deadline = std::min(*nap.deadline, now + RunMemory::kWritePeriod);
    return nap;
}

void Keeper::PublishTrimOwner(const Decision& decision) {
    const BootTime now = seams_.clock.SinceBoot();
    std::string why_not;
    bool owns = false;
    {
        MutexLock guard(lock_);
        why_not = WhyNoRun(decision, last_failure_);
        owns = why_not.empty();
        if (owns == owns_trims_ && (!owns || (beat_.has_value() && now - *beat_ < kBeatPeriod))) {
            return;
        }
        owns_trims_ = owns;
        beat_ = now;
    }
    if (!owns) {
        LOG(WARNING) << "Trims are left to vold: " << why_not;
        hooks_.publish(kPropertyTrimOwner, "");
        return;
    }
    hooks_.publish(kPropertyTrimBeat,
                   std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now).count()));
    hooks_.publish(kPropertyTrimOwner, "storekeeper");
}

Keeper::Nap Keeper::Tick() {
    {
        MutexLock guard(lock_);
        wakes_.Note(seams_.clock.SinceBoot());
    }
    static_cast<void>(memory_.Recheck());
    if (worker_.progress().running) return WatchRun();
    if (const Result<void> back = seams_.run.Restore(); !back.ok()) {
        LOG(ERROR) << back.error().message();
    }
    PublishQuarantine();
    if (seams_.run.report_only()) return NapFor(NeverRun(seams_.clock.SinceBoot()));
    const PolicyState state = memory_.State();
    const Decision decision = Decide(Inputs(state, true), state, config_);
    PublishTrimOwner(decision);
    NoteDecision(decision);
    PublishWaiting(decision);
    memory_.NoteRefusal(decision);
    memory_.WriteWhenWorthIt();
    if (!decision.run) return NapFor(decision);
    const Result<void> begun = worker_.Start({.manual = false, .mounts = {}});
    // EBUSY: a manual run was faster. Its end wakes the loop.
    if (begun.ok() || begun.error().code() == EBUSY) return WatchRun();
    LOG(ERROR) << "No run: " << begun.error();
    return {.deadline = seams_.clock.SinceBoot() + kThreadRetry};
}

Keeper::Nap Keeper::WatchRun() {
    std::optional<std::pair<TrimRequest, BootTime>> run;
    {
        MutexLock guard(lock_);
        run = run_;
    }
    // The beginning and the end of a run wake the loop.
    if (!run.has_value()) return {};
    const auto& [request, started] = *run;
    const BootTime now = seams_.clock.SinceBoot();
    Nap nap{.deadline = started + kMaxAwake};
    if (now >= *nap.deadline) {
        hooks_.stay_awake(false);
        nap.deadline.reset();
    }
    if (request.past_gates || worker_.progress().stopping) return nap;
    const PolicyState state = memory_.State();
    const PolicyInputs inputs = Inputs(state, true, request.manual);
    const Decision decision = Decide(inputs, state, config_);
    const std::string reason = StopReason(decision, inputs, started);
    if (!reason.empty()) {
        worker_.Abort(reason);
        return nap;
    }
    nap.deadline = now + kRunRecheck;
    nap.watch_power = true;
    nap.watch_input = decision.ends_at_input();
    return nap;
}

KeeperStatus Keeper::Status() {
    KeeperStatus status;
    status.progress = worker_.progress();
    status.report_only = seams_.run.report_only();
    if (!status.report_only) status.mounts = seams_.run.configured();
    status.config_files = settings_.files;
    status.notes = settings_.problems;
    status.state = memory_.State();
    status.decision = status.report_only
                              ? NeverRun(seams_.clock.SinceBoot())
                              : Decide(Inputs(status.state, false), status.state, config_);
    for (const Refusal& refusal : seams_.run.Refusals()) {
        if (refusal.gate != "chip") continue;
        status.notes.push_back("Nothing is trimmed on this device. " + refusal.reason);
    }
    status.now = memory_.Now();
    status.chips = seams_.run.chips().chips();
    if (const Result<void> kept = memory_.Problem(); !kept.ok()) {
        status.state_problem = UnsavedStateText(kept);
    }
    for (std::string& note : seams_.records.notes()) status.notes.push_back(std::move(note));
    MutexLock guard(lock_);
    gate_log_.Note(status.decision, status.now.since_boot);
    status.gate_log = gate_log_;
    status.wakes = wakes_;
    status.last_run = last_run_;
    return status;
}

std::vector<TrimReceipt> Keeper::Receipts(size_t count) const {
    std::vector<TrimReceipt> receipts;
    for (const std::string& line : seams_.records.Last(RecordKind::kReceipt, count)) {
        if (Result<TrimReceipt> receipt = ParseFields<TrimReceipt>(line); receipt.ok()) {
            receipts.push_back(std::move(*receipt));
        }
    }
    return receipts;
}

bool Keeper::IsAtRest() const {
    if (seams_.run.report_only()) {
        // The policy closes the input devices, so only the screen shows whether anybody is there.
        const MaintenanceReadings readings = seams_.inputs.Read(false, false);
        return readings.interaction.ok() && readings.interaction->screen_on == false &&
               readings.storage.ok() && IsQuiet(*readings.storage);
    }
    MutexLock guard(lock_);
    return at_rest_ && !run_.has_value();
}

Result<TrimReceipt> Keeper::Trim(const std::vector<std::string>& mounts, bool hurry) {
    if (seams_.run.report_only()) return ResultFailure(kReportOnlyText, EPERM);
    // A trim would discard data that vold needs to roll back.
    const Result<std::string> checkpoint = ReadCheckpoint(seams_.files);
    if (!checkpoint.ok()) {
        return ResultFailure("no run: checkpoint: " + checkpoint.error().message(),
                             checkpoint.error().code());
    }
    if (!checkpoint->empty()) return ResultFailure("no run: checkpoint: " + *checkpoint, EBUSY);
    TrimRequest request{.manual = true, .hurry = hurry, .past_gates = true};
    for (const std::string& mount : mounts) request.mounts.push_back(NormalMountPoint(mount));
    return worker_.Run(std::move(request));
}

Result<TrimReceipt> Keeper::Maintain() {
    if (seams_.run.report_only()) return ResultFailure(kReportOnlyText, EPERM);
    const PolicyState state = memory_.State();
    const Decision decision = Decide(Inputs(state, true, true), state, config_);
    if (!decision.run) return ResultFailure("no run: " + DescribeGates(decision, false), EBUSY);
    return worker_.Run({.manual = true, .mounts = {}});
}

Result<void> Keeper::SetOverride(const std::string& gate, std::optional<int64_t> limit) {
    if (seams_.run.report_only()) return ResultFailure(kReportOnlyText, EPERM);
    const std::optional<OverrideRange> range = FindOverrideRange(gate);
    if (!range.has_value()) {
        std::vector<std::string> known;
        for (const OverrideRange& each : OverrideRanges()) known.emplace_back(each.gate);
        return Error() << "gate '" << gate << "' has no limit that can be set; gates with one: "
                       << android::base::Join(known, ", ");
    }
    if (limit.has_value() && (*limit < range->min || *limit > range->max)) {
        const std::string unit = range->unit;
        return Error() << gate << ": "
                       << (unit == "yes" ? std::to_string(*limit) : QuantityText(*limit, unit))
                       << " is out of range: " << RangeText(*range);
    }
    memory_.Remember([&](PolicyState* state) {
        if (limit.has_value()) {
            state->overrides[gate] = *limit;
        } else {
            state->overrides.erase(gate);
        }
    });
    LOG(INFO) << "Limit of gate " << gate
              << (limit.has_value() ? " set to " + std::to_string(*limit) : " as configured");
    hooks_.wake();
    return {};
}

Result<void> Keeper::OnRunBegins(const TrimRequest& request) {
    {
        MutexLock guard(lock_);
        run_.emplace(request, seams_.clock.SinceBoot());
    }
    hooks_.wake();
    hooks_.publish(kPropertyState, "trimming");
    hooks_.stay_awake(true);
    if (!request.manual) {
        // Saved before the run: a run that crashes the system is not tried again at once.
        memory_.Remember([now = memory_.Now()](PolicyState* state) { state->last_attempt = now; });
    }
    const Result<void> kept = memory_.Recheck();
    if (kept.ok()) return {};
    return ResultFailure(UnsavedStateText(kept), kept.error().code());
}

void Keeper::OnRunEnds(const TrimReceipt& made) {
    hooks_.stay_awake(false);
    PublishQuarantine();
    const RunStamp now = memory_.Now();
    const TrimReceipt receipt = ReceiptToStore(made, seams_.run.configured());
    {
        MutexLock guard(lock_);
        run_.reset();
        if (!receipt.refused) last_run_ = receipt;
        if (!receipt.manual) last_failure_ = FailureOf(receipt);
    }
    if (receipt.refused) {
        hooks_.publish(kPropertyState, "idle");
        return;
    }
    const Result<WrittenReading> written = ReadWritten(seams_.files, seams_.run.configured());
    seams_.records.Put(RecordKind::kReceipt, WriteFields(receipt));
    memory_.Remember([&](PolicyState* state) {
        if (!receipt.complete) return;
        state->last_complete = now;
        state->written_bytes = written.ok() ? std::optional(written->bytes) : std::nullopt;
        state->age = RunAge{.at = now};
    });
    if (receipt.complete) {
        LOG(INFO) << "Maintenance complete";
        hooks_.publish(kPropertyLastRun, std::to_string(now.wall.count()));
    } else if (!receipt.manual) {
        LOG(WARNING) << "Maintenance incomplete: " << receipt.reason;
    }
    hooks_.publish(kPropertyLastOutcome, std::string(OutcomeFactsOf(receipt.outcome).name));
    hooks_.publish(kPropertyState, "idle");
    if (hooks_.run_ended) hooks_.run_ended();
}

}  // namespace storekeeper
