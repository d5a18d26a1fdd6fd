// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// When others get the disk: pauses behind discards, and lulls before them.

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

void MountPass::AwaitLull() {
    if (request_.hurry || !others_ || !discards_->HasTime()) return;
    discards_->AddPause(lulls_->Await());
}

void MountPass::AwaitLullOfWrites() {
    if (request_.hurry || is_discarding_) return;
    discards_->AddPause(lulls_->AwaitAfterWrite());
}

void MountPass::AwaitLullBeforeSync() {
    if (request_.hurry || !lulls_.has_value() || !others_) return;
    if (receipt_.filesystem_bytes != 0U) lulls_->AwaitLong();
}

}  // namespace storekeeper
