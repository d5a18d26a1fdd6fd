// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "trim/foreground.h"

#include <android-base/parseint.h>
#include <android-base/strings.h>

#include <algorithm>
#include <string>

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr char kDiskstats[] = "/proc/diskstats";
constexpr char kPressure[] = "/proc/pressure/io";
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

std::optional<DiskActivity> ForegroundWatch::Disk() const {
    Result<std::string> text = files_.ReadTable(kDiskstats);
    if (!text.ok()) return std::nullopt;
    Result<DiskActivity> activity = ActivityOf(*text, disk_);
    if (!activity.ok()) return std::nullopt;
    return *activity;
}

// Documentation/accounting/psi.rst: "some avg10=0.00 avg60=0.00 avg300=0.00 total=N", the total in
// microseconds. Absent below 4.20 and without CONFIG_PSI.
std::optional<microseconds> ForegroundWatch::Stalled() const {
    constexpr std::string_view kTotal = "total=";
    Result<std::string> text = files_.ReadTable(kPressure);
    if (!text.ok()) return std::nullopt;
    const std::string line = text->substr(0, text->find('\n'));
    int64_t total = 0;
    const size_t at = line.find(kTotal);
    if (!android::base::StartsWith(line, "some ") || at == std::string::npos ||
        !android::base::ParseInt(line.substr(at + kTotal.size()), &total, int64_t{0})) {
        return std::nullopt;
    }
    return microseconds(total);
}

void ForegroundWatch::BeginSlice() {
    before_ = Disk();
}

void ForegroundWatch::EndSlice() {
    const std::optional<DiskActivity> after = Disk();
    if (!before_.has_value() || !after.has_value()) return;
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
    const std::optional<DiskActivity> disk = Disk();
    if (disk.has_value() && before_.has_value() &&
        (disk->in_flight >= kBusyQueue || (disk->busy - before_->busy) * kBusyShare > pause)) {
        return true;
    }
    const std::optional<microseconds> stalled = Stalled();
    return stalled.has_value() && stalled_before_.has_value() &&
           (*stalled - *stalled_before_) * kBusyShare > pause;
}

}  // namespace storekeeper
