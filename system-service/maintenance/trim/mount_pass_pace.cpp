// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// When others get the disk: pauses behind discards, and lulls before them.
//
// Others' requests come in turn, or in bursts. Whoever was served a moment ago is not back yet:
// a discard, or a change of the queue, that begins then meets the next request least often.

#include <algorithm>
#include <utility>

#include "maintenance/trim/mount_pass.h"

namespace storekeeper {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// A pause as a percentage of the slice before it where the disk is not ours to throttle.
constexpr int kPausePercent = 300;
// While others keep the disk busy a pause is repeated, so many times at most: a run must end.
constexpr int kMaxPauses = 4;
// Less work is added up before it is worth a pause.
constexpr microseconds kWorthAPause(500);
// How often diskstats is asked what others do.
constexpr milliseconds kLook(100);
// One step of looking for a lull.
constexpr microseconds kLullStep(500);
// Who comes less often is rarely met.
constexpr milliseconds kMaxLull(12);
// Synced writes come less often, and wait for longest.
constexpr milliseconds kMaxLullOfWrites(60);

}  // namespace

nanoseconds MountPass::PauseAfter(nanoseconds work, nanoseconds idle, bool others) const {
    if (!discards_.has_value()) return work * kPausePercent / 100;
    return discards_->PauseAfter(work, idle, others);
}

nanoseconds MountPass::Slept(uint64_t discards, nanoseconds slice) const {
    const SlicePlan& slices = plan_.slices;
    if (slices.discards_to_sleep == 0) return {};
    const uint64_t sleeps = discards / slices.discards_to_sleep;
    return std::min(slice, slices.sleep * static_cast<int64_t>(sleeps));
}

void MountPass::Pause(nanoseconds slice) {
    const nanoseconds idle =
            Slept(watch_->discards().value_or(ForegroundWatch::Discards()).number, slice);
    const nanoseconds pause =
            PauseAfter(slice, idle, by_piece_ ? others_ : watch_->others_waited());
    const nanoseconds start = seams_.clock.Monotonic();
    for (int i = 0; i < kMaxPauses && !stop_.raised(); ++i) {
        watch_->BeginPause();
        seams_.pauser.Pause(pause, stop_);
        if (!watch_->WasBusy(pause)) break;
    }
    if (discards_.has_value()) discards_->AddPause(seams_.clock.Monotonic() - start);
}

// Short pauses behind short pieces are not looked at: their sum would be nothing but looking.
void MountPass::Pace(nanoseconds took) {
    unpaused_ += took;
    if (unpaused_ < kWorthAPause) return;
    const nanoseconds work = std::exchange(unpaused_, nanoseconds(0));
    if (seams_.clock.Monotonic() - looked_at_ >= kLook) {
        others_ = watch_->OthersSince();
        Pause(work);
        looked_at_ = seams_.clock.Monotonic();
        return;
    }
    const nanoseconds pause = PauseAfter(work, nanoseconds(0), others_);
    const nanoseconds start = seams_.clock.Monotonic();
    seams_.pauser.Pause(pause, stop_);
    if (discards_.has_value()) discards_->AddPause(seams_.clock.Monotonic() - start);
}

bool MountPass::AwaitLullAfter(ForegroundWatch::After after, nanoseconds longest) {
    const nanoseconds start = seams_.clock.Monotonic();
    nanoseconds waited{};
    watch_->BeginLull(after);
    bool is_lull = watch_->IsLull();
    while (!is_lull && waited < longest && !stop_.raised()) {
        seams_.pauser.Pause(kLullStep, stop_);
        is_lull = watch_->IsLull();
        waited = seams_.clock.Monotonic() - start;
    }
    discards_->AddPause(waited);
    return is_lull;
}

void MountPass::AwaitLull() {
    if (request_.hurry || !others_ || !discards_->HasTime()) return;
    AwaitLullAfter(ForegroundWatch::After::kAny, kMaxLull);
}

void MountPass::AwaitLullOfWrites() {
    if (request_.hurry || is_discarding_) return;
    if (AwaitLullAfter(ForegroundWatch::After::kWrites, kMaxLullOfWrites)) return;
    AwaitLullAfter(ForegroundWatch::After::kAny, kMaxLull);
}

void MountPass::AwaitLullBeforeSync() {
    if (!discards_.has_value() || !others_ || receipt_.filesystem_bytes == 0U) return;
    AwaitLullOfWrites();
}

}  // namespace storekeeper
