// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// How long discards are: the plan of a pass, and the queue that cuts them.

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maintenance/trim/mount_pass.h"
#include "mounts/block_device.h"
#include "mounts/chip_id.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Who waited while the queue was stopped gets through before the next discard.
constexpr milliseconds kAfterAStop(50);
// A slice that takes so long teaches while it is under way: longer than one of the slowest cards
// in the first size does. Changes in the middle of its discards let others wait twice as long.
constexpr milliseconds kLongSlice(500);
// Of an extent that nothing is known of.
constexpr uint64_t kAnyLength = std::numeric_limits<uint64_t>::max();

// "" of what has no identity: nothing is remembered of it.
std::string ChipIdOf(const FileReader& files, dev_t disk) {
    const Result<Chip> chip = ChipOf(files, disk);
    return chip.ok() ? chip->id : "";
}

}  // namespace

void MountPass::ThrottleQueue() {
    Result<dev_t> disk = DiskOf(seams_.files, selection_.mount.device);
    disk_ = disk.ok() && CheckIsThere(seams_.files, *disk).ok() ? *disk : selection_.mount.device;
    Result<std::vector<dev_t>> disks = DisksOf(seams_.files, selection_.members.devices);
    if (disks.ok() && disks->size() > 1) {
        receipt_.AddNote("the file system is on " + std::to_string(disks->size()) +
                         " disks, and the queue of the first alone is throttled");
    }
    const std::vector<dev_t>& watched = disks.ok() ? *disks : selection_.members.devices;
    watch_.emplace(seams_.files, watched);
    lulls_.emplace(seams_.files, seams_.clock, seams_.pauser, stop_, watched);
    Result<DiscardLimits> limits =
            disk.ok() ? seams_.queue.Sizes(*disk) : Result<DiscardLimits>(disk.error());
    Result<void> throttled = {};
    if (limits.ok()) {
        discards_.emplace(*limits,
                          DiscardTerms{.budget = terms_.discard_budget,
                                       .hurry = request_.hurry,
                                       .free_bytes = plan_.free_bytes,
                                       .slices = plan_.slices,
                                       .by_extent = by_piece_,
                                       .postpones = by_piece_},
                          FindDiscardCost(seams_.records, ChipIdOf(seams_.files, *disk)));
        queue_disk_ = *disk;
        queue_bytes_ = limits->largest;
        if (by_piece_ && terms_.seen.has_value()) discards_->Learn(*terms_.seen);
        // By piece: as soon as a piece is longer than a discard may be.
        if (!by_piece_ && MustSetQueue()) throttled = SetQueue();
    } else {
        throttled = limits.error();
    }
    receipt_.throttled = throttled.ok();
    if (throttled.ok()) return;
    GoOnUnthrottled("the disk queue is not throttled: " + throttled.error().message());
}

// Each change stops the queue for longer than many a discard takes.
bool MountPass::MustSetQueue() const {
    return request_.hurry || !discards_->knows_cost() ||
           discards_->MustCut(kAnyLength, queue_bytes_);
}

Result<void> MountPass::SetQueue() {
    queue_bytes_ = discards_->bytes();
    return seams_.queue.Throttle(queue_disk_, queue_bytes_, [this] { AwaitLullOfWrites(); });
}

void MountPass::FitQueueTo(uint64_t extent_bytes) {
    if (!discards_.has_value() || !discards_->MustCut(extent_bytes, queue_bytes_)) return;
    FitQueue();
    if (!discards_.has_value()) return;
    const nanoseconds start = seams_.clock.Monotonic();
    seams_.pauser.Pause(kAfterAStop, stop_);
    discards_->AddPause(seams_.clock.Monotonic() - start);
}

// As it was before the run: fit for no plan.
void MountPass::GoOnUnthrottled(const std::string& note) {
    discards_.reset();
    receipt_.throttled = false;
    receipt_.AddNote(note);
}

void MountPass::FitQueue() {
    if (!discards_.has_value() || queue_bytes_ == discards_->bytes()) return;
    const Result<void> throttled = SetQueue();
    if (throttled.ok()) return;
    GoOnUnthrottled("the disk queue is not throttled: " + throttled.error().message());
}

void MountPass::PlanDiscards(const ForegroundWatch::Discards& done) {
    if (!discards_.has_value() || plan_.slices.queued) return;
    const uint64_t before = discards_->bytes();
    const nanoseconds now = seams_.clock.Monotonic();
    const uint64_t number = done.number - planned_.number;
    nanoseconds took = now - planned_at_;
    bool waited = false;
    if (plan_.slices.discards_to_sleep != 0 && number != 0) {
        // The rest is a checkpoint, and sleep.
        const nanoseconds discarding =
                std::min(took - Slept(number, took), nanoseconds(done.time - planned_.time));
        discards_->AddPause(took - discarding);
        took = discarding;
        // A checkpoint is always the same few writes.
        const uint64_t others = done.others - planned_.others;
        fewest_others_ = std::min(fewest_others_.value_or(others), others);
        waited = others > fewest_others_;
    }
    discards_->Add({.limit_bytes = before,
                    .discards = number,
                    .bytes = done.bytes - planned_.bytes,
                    .took = took,
                    .waited = waited});
    planned_ = done;
    planned_at_ = now;
    if (discards_->bytes() == before || !MustSetQueue()) return;
    const Result<void> throttled = SetQueue();
    if (throttled.ok()) return;
    GoOnUnthrottled("the disk queue is no longer throttled: " + throttled.error().message());
}

// While a slice is under way: the first one of a card that is not known may be all that is free.
bool MountPass::PlanMeanwhile() {
    if (!discards_.has_value() || by_piece_ || plan_.slices.queued || discards_->is_settled()) {
        return false;
    }
    const auto done = watch_->DiscardsSoFar().value_or(ForegroundWatch::Discards());
    if (seams_.clock.Monotonic() - planned_at_ < kLongSlice) return true;
    const uint64_t before = discards_->bytes();
    PlanDiscards(done);
    if (!discards_.has_value()) return false;
    if (discards_->bytes() == before) return true;
    // Those of the old size that came meanwhile show nothing.
    planned_ = watch_->DiscardsSoFar().value_or(done);
    const nanoseconds now = seams_.clock.Monotonic();
    discards_->AddPause(now - planned_at_);
    planned_at_ = now;
    return true;
}

void MountPass::RememberDiscards() {
    if (!discards_.has_value()) return;
    const uint64_t largest = by_piece_ && largest_ != 0 ? largest_ : discards_->bytes();
    if (discards_->CostOf(largest) > nanoseconds(0)) {
        receipt_.discard_bytes = largest;
        receipt_.discard_time = discards_->CostOf(largest);
    }
    if (const std::string binding = discards_->Binding(largest); !binding.empty()) {
        receipt_.AddNote(binding);
    }
    const std::string chip = ChipIdOf(seams_.files, queue_disk_);
    const std::optional<DiscardCost> measured = discards_->measured();
    if (measured.has_value() && !chip.empty()) PutDiscardCost(&seams_.records, chip, *measured);
}

}  // namespace storekeeper
