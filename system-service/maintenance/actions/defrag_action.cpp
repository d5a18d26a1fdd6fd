// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/actions/defrag_action.h"

#include <android-base/logging.h>
#include <errno.h>

#include <algorithm>
#include <optional>

#include "base/quantity_text.h"
#include "base/try.h"
#include "mounts/chip_id.h"
#include "mounts/mountinfo.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::minutes;
using std::chrono::seconds;

// Period of reading the chip's state; a stop does not wait for it.
constexpr seconds kLook(1);
// A longer analysis or defragmentation is ended, because the chip's state is doubtful.
constexpr minutes kLongest(20);
constexpr uint64_t kWhole = 100;

// ENODEV: the chip has no such defragmentation.
ActionOutcome OutcomeOf(int error) {
    if (error == EINTR) return ActionOutcome::kStopped;
    return error == ENODEV ? ActionOutcome::kNothing : ActionOutcome::kFailed;
}

}  // namespace

void DefragAction::NoteReads(ReadFigure figure) {
    MutexLock guard(lock_);
    reads_.push_back(std::move(figure));
    uint64_t count = 0;
    auto oldest = reads_.end();
    while (oldest != reads_.begin() && count < kMinReads) {
        count += (--oldest)->sample.histogram.count();
    }
    reads_.erase(reads_.begin(), oldest);
}

std::vector<ReadFigure> DefragAction::Reads() const {
    MutexLock guard(lock_);
    return reads_;
}

ActionMemory DefragAction::Memory(dev_t disk) const {
    ActionMemory memory = memory_.Load();
    const Result<Chip> chip = ChipOf(seams_.files, disk);
    const std::string id = chip.ok() ? chip->id + " " + chip->firmware : "";
    if (memory.defrag.chip != id) memory.defrag = {.chip = id};
    return memory;
}

ActionPlan DefragAction::Plan() const {
    ActionPlan plan{.action = std::string(name())};
    const Result<DataVolume> data = FindDataVolume(seams_.files);
    const Result<HidReading> hid =
            data.ok() ? hid_.Read(data->disk)
                      : Result<HidReading>(android::base::unexpected(data.error()));
    if (!hid.ok()) {
        plan.what = hid.error().message();
        return plan;
    }
    ActionMemory memory = Memory(data->disk);
    const DefragDecision decision = Decide(*hid, false, 0, &memory);
    plan.what = decision.why;
    if (decision.step == DefragStep::kNothing) return plan;
    plan.would_act = true;
    plan.written_bytes = std::min(kDefragRunBytes, memory_.RemainingBytes(memory));
    return plan;
}

// Waits until the chip is no longer at work. EINTR: stopped, and `progress` has the percentage
// then.
Result<HidReading> DefragAction::Wait(dev_t disk, HidReading now, const StopSignal& stop,
                                      uint64_t* progress) {
    const BootTime end = seams_.clock.SinceBoot() + kLongest;
    while (now.is_at_work()) {
        if (now.state == HidState::kDefrag) *progress = hid_.Progress(disk).value_or(*progress);
        std::optional<std::string> why = stop.reason();
        if (!why.has_value() && seams_.clock.SinceBoot() >= end) {
            why = "the UFS takes longer than " + std::to_string(kLongest.count()) + " minutes";
        }
        if (why.has_value()) {
            TRY(hid_.Stop(disk));
            return ResultFailure(*why, EINTR);
        }
        pauser_.Pause(kLook, stop);
        now = TRY(hid_.Read(disk));
    }
    return now;
}

Result<HidReading> DefragAction::Analyze(dev_t disk, const StopSignal& stop) {
    LOG(INFO) << "The UFS analyzes its fragmentation";
    uint64_t progress = 0;
    return Wait(disk, TRY(hid_.Analyze(disk)), stop, &progress);
}

// Charges the budget first: after a crash or a power cut the same data must not be moved again and
// again.
Result<HidReading> DefragAction::Defragment(dev_t disk, uint64_t bytes, const StopSignal& stop,
                                            ActionReceipt* receipt) {
    TRY(memory_.Charge(bytes));
    LOG(INFO) << "The UFS defragments " << SizeText(bytes);
    uint64_t progress = 0;
    Result<HidReading> done = hid_.Defragment(disk, bytes);
    if (done.ok()) {
        done = Wait(disk, *done, stop, &progress);
        if (done.ok()) progress = kWhole;
    }
    const uint64_t moved = bytes * std::min(progress, kWhole) / kWhole;
    memory_.Correct(bytes, moved);
    ActionMemory memory = Memory(disk);
    if (memory.defrag.round.has_value()) memory.defrag.round->moved_bytes += moved;
    memory_.Put(memory);
    receipt->written_bytes += moved;
    return done;
}

DefragDecision DefragAction::Decide(const HidReading& hid, bool analyzed, uint64_t moved,
                                    ActionMemory* memory) const {
    return DecideDefrag({.now = memory_.Now(),
                         .hid = hid,
                         .reads = Reads(),
                         .analyzed = analyzed,
                         .moved_this_run = moved != 0,
                         .run_left_bytes = kDefragRunBytes - std::min(kDefragRunBytes, moved),
                         .week_left_bytes = memory_.RemainingBytes(*memory)},
                        config_, &memory->defrag);
}

Result<void> DefragAction::Loop(dev_t disk, const StopSignal& stop, ActionReceipt* receipt) {
    HidReading hid = TRY(hid_.Read(disk));
    bool analyzed = false;
    for (;;) {
        ActionMemory memory = Memory(disk);
        const DefragDecision decision = Decide(hid, analyzed, receipt->written_bytes, &memory);
        memory_.Put(memory);
        receipt->note = decision.why;
        switch (decision.step) {
            case DefragStep::kAnalyze:
                hid = TRY(Analyze(disk, stop));
                analyzed = true;
                break;
            case DefragStep::kDefragment:
                hid = TRY(Defragment(disk, decision.bytes, stop, receipt));
                receipt->outcome = ActionOutcome::kDone;
                analyzed = false;
                break;
            default:
                return {};
        }
    }
}

ActionReceipt DefragAction::Run(const StopSignal& stop) {
    ActionReceipt receipt{.action = std::string(name())};
    const BootTime begun = seams_.clock.SinceBoot();
    const Result<DataVolume> data = FindDataVolume(seams_.files);
    if (data.ok()) {
        if (const Result<void> done = Loop(data->disk, stop, &receipt); !done.ok()) {
            receipt.note = done.error().message();
            receipt.outcome = OutcomeOf(done.error().code());
        }
        // The chip forgets its findings, and the next daemon finds nothing to end.
        if (const Result<void> back = hid_.Restore(); !back.ok()) {
            receipt.outcome = ActionOutcome::kFailed;
            receipt.note = back.error().message();
        }
    } else {
        receipt.outcome = ActionOutcome::kFailed;
        receipt.note = data.error().message();
    }
    receipt.duration = seams_.clock.SinceBoot() - begun;
    return receipt;
}

}  // namespace storekeeper
