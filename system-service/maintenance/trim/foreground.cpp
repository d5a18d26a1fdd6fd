// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/foreground.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/io_pressure.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// Every second moment: more than what an app that streams or syncs now and then takes.
constexpr int kBusyShare = 2;
// So many at one moment are a queue, not a stray request.
constexpr uint64_t kBusyQueue = 8;

nanoseconds Mean(uint64_t before, uint64_t after, milliseconds time) {
    if (after <= before || time.count() <= 0) return {};
    return nanoseconds(time) / static_cast<int64_t>(after - before);
}

}  // namespace

ForegroundWatch::ForegroundWatch(const FileReader& files, dev_t disk)
      : files_(files), disk_(disk) {}

std::optional<DiskStats> ForegroundWatch::Disk() const {
    Result<std::string> text = files_.ReadTable(kDiskstatsPath);
    if (!text.ok()) return std::nullopt;
    Result<DiskStats> stats = FindDiskStats(*text, disk_);
    if (!stats.ok()) return std::nullopt;
    return *std::move(stats);
}

std::optional<microseconds> ForegroundWatch::Stalled() const {
    Result<std::string> text = files_.ReadTable(kIoPressurePath);
    if (!text.ok()) return std::nullopt;
    Result<IoPressure> pressure = ParseIoPressure(*text);
    if (!pressure.ok()) return std::nullopt;
    return pressure->total;
}

void ForegroundWatch::BeginSlice() {
    before_ = Disk();
}

void ForegroundWatch::EndSlice() {
    const std::optional<DiskStats> after = Disk();
    discards_.reset();
    if (!before_.has_value() || !after.has_value()) return;
    if (before_->discards.has_value() && after->discards >= before_->discards) {
        discards_ = *after->discards - *before_->discards;
    }
    for (const nanoseconds mean :
         {Mean(before_->reads, after->reads, after->reading - before_->reading),
          Mean(before_->writes, after->writes, after->writing - before_->writing)}) {
        if (mean.count() > 0) worst_ = std::max(worst_.value_or(nanoseconds(0)), mean);
    }
}

void ForegroundWatch::BeginPause() {
    before_ = Disk();
    stalled_before_ = Stalled();
}

bool ForegroundWatch::WasBusy(nanoseconds pause) const {
    const std::optional<DiskStats> disk = Disk();
    if (disk.has_value() && before_.has_value() &&
        (disk->in_flight >= kBusyQueue || (disk->busy - before_->busy) * kBusyShare > pause)) {
        return true;
    }
    const std::optional<microseconds> stalled = Stalled();
    return stalled.has_value() && stalled_before_.has_value() &&
           (*stalled - *stalled_before_) * kBusyShare > pause;
}

}  // namespace storekeeper
