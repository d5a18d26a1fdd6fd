// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/foreground.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Every second moment: more than what an app that streams or syncs now and then takes.
constexpr int kBusyShare = 2;
// So many at one moment are a queue, not a stray request.
constexpr uint64_t kBusyQueue = 8;

// By how much others' requests may take longer without anybody noticing.
constexpr int kNoticedPercent = 125;
// Of what a slice has shown so much counts in the next, and from here on nothing: in a short slice
// there may be nobody of those who come and go.
constexpr double kOlder = 0.875;
constexpr double kSome = 0.5;

// Reads and writes between two moments, and what they took.
struct Requests {
    uint64_t number = 0;
    milliseconds time{};
};

Requests Between(const DiskStats& before, const DiskStats& after) {
    return {.number = after.reads - before.reads + after.writes - before.writes,
            .time = after.reading - before.reading + after.writing - before.writing};
}

std::optional<ForegroundWatch::Discards> DiscardedBetween(const DiskStats& before,
                                                          const DiskStats& after) {
    if (!before.discards.has_value() || after.discards < before.discards) return std::nullopt;
    return ForegroundWatch::Discards{.number = *after.discards - *before.discards,
                                     .bytes = *after.discarded_bytes - *before.discarded_bytes,
                                     .time = *after.discarding - *before.discarding,
                                     .others = Between(before, after).number};
}

nanoseconds Mean(uint64_t before, uint64_t after, milliseconds time) {
    if (after <= before || time.count() <= 0) return {};
    return nanoseconds(time) / static_cast<int64_t>(after - before);
}

Result<IoPressure> ReadPressure(const FileReader& files) {
    return ParseIoPressure(TRY(files.ReadTable(kIoPressurePath)));
}

}  // namespace

void ForegroundWatch::BeginSlice() {
    before_ = ReadDiskStats(files_, disks_);
}

void ForegroundWatch::EndSlice() {
    const Result<DiskStats> after = ReadDiskStats(files_, disks_);
    discards_.reset();
    others_waited_ = true;
    if (!before_.ok() || !after.ok()) return;
    discards_ = DiscardedBetween(*before_, *after);
    const Requests others = Between(*before_, *after);
    disturbed_ = disturbed_ * kOlder + static_cast<double>(others.number);
    disturbed_ms_ = disturbed_ms_ * kOlder + static_cast<double>(others.time.count());
    // The share of each is the same: number by number, time by time.
    others_waited_ =
            disturbed_ >= kSome &&
            disturbed_ms_ * static_cast<double>(undisturbed_) * 100 >=
                    static_cast<double>(undisturbed_time_.count()) * disturbed_ * kNoticedPercent;
    for (const nanoseconds mean :
         {Mean(before_->reads, after->reads, after->reading - before_->reading),
          Mean(before_->writes, after->writes, after->writing - before_->writing)}) {
        if (mean.count() > 0) worst_ = std::max(worst_.value_or(nanoseconds(0)), mean);
    }
}

std::optional<ForegroundWatch::Discards> ForegroundWatch::DiscardsSoFar() const {
    const Result<DiskStats> now = ReadDiskStats(files_, disks_);
    if (!before_.ok() || !now.ok()) return std::nullopt;
    return DiscardedBetween(*before_, *now);
}

bool ForegroundWatch::OthersSince() {
    const Result<DiskStats> now = ReadDiskStats(files_, disks_);
    if (!now.ok()) return true;
    const uint64_t before = std::exchange(others_seen_, now->reads + now->writes);
    return others_seen_ != before;
}

void ForegroundWatch::BeginDiscard() {
    begun_ = ReadDiskStats(files_, disks_);
}

bool ForegroundWatch::WasAlone() const {
    const Result<DiskStats> now = ReadDiskStats(files_, disks_);
    if (!begun_.ok() || !now.ok()) return true;
    return begun_->in_flight == 0 && now->reads == begun_->reads && now->writes == begun_->writes;
}

void ForegroundWatch::BeginPause() {
    before_ = ReadDiskStats(files_, disks_);
    pressure_before_ = ReadPressure(files_);
}

bool ForegroundWatch::WasBusy(nanoseconds pause) {
    const Result<DiskStats> disk = ReadDiskStats(files_, disks_);
    if (disk.ok() && before_.ok()) {
        const Requests others = Between(*before_, *disk);
        undisturbed_ += others.number;
        undisturbed_time_ += others.time;
    }
    if (disk.ok() && before_.ok() &&
        (disk->in_flight >= kBusyQueue || (disk->busy - before_->busy) * kBusyShare > pause)) {
        return true;
    }
    const Result<IoPressure> pressure = ReadPressure(files_);
    return pressure.ok() && pressure_before_.ok() &&
           (pressure->total - pressure_before_->total) * kBusyShare > pause;
}

}  // namespace storekeeper
