// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/latency_collector.h"

#include <iterator>
#include <utility>

#include "latency/bpf_sample.h"
#include "latency/disk_latency.h"
#include "latency/uid_io.h"

namespace storekeeper {
namespace {

using android::base::Result;
using std::chrono::seconds;

constexpr int64_t kDaySeconds = 24 * 3600;
constexpr char kFirstLook[] = "measured from the next time on";

void Append(std::vector<LatencySample> samples, std::vector<LatencySample>* to) {
    to->insert(to->end(), std::make_move_iterator(samples.begin()),
               std::make_move_iterator(samples.end()));
}

// Days before the epoch count back from it, too.
int64_t DayOf(WallTime wall) {
    const int64_t day = wall.count() / kDaySeconds;
    return wall.count() % kDaySeconds < 0 ? day - 1 : day;
}

}  // namespace

LatencyReadings LatencyCollector::Take(dev_t disk, const StopSignal& stop) {
    LatencyReadings readings;
    if (disk_ != disk) {
        disk_before_.reset();
        bpf_before_.reset();
    }
    const BootTime now = clock_.SinceBoot();
    const WallTime wall = clock_.Wall();
    const seconds span = std::chrono::duration_cast<seconds>(now - last_);
    // First what others did: the probe's own I/Os belong to the next time.
    TakeDisk(disk, wall, span, &readings);
    TakeBpf(disk, wall, span, &readings);
    TakeUids(wall, &readings);
    disk_ = disk;
    last_ = now;
    if (probe_ == nullptr) {
        readings.problems.probe = "off";
        return readings;
    }
    Result<std::vector<LatencySample>> probed = probe_->Run(stop);
    if (probed.ok()) {
        if (probed->empty()) readings.problems.probe = "its budget of the day is used up";
        Append(std::move(*probed), &readings.samples);
    } else {
        readings.problems.probe = probed.error().message();
    }
    return readings;
}

void LatencyCollector::TakeDisk(dev_t disk, WallTime wall, seconds span, LatencyReadings* to) {
    Result<DiskStats> now = [&]() -> Result<DiskStats> {
        return FindDiskStats(OR_RETURN(files_.ReadTable(kDiskstatsPath)), disk);
    }();
    const std::optional<DiskStats> before = std::exchange(disk_before_, std::nullopt);
    if (!now.ok()) {
        to->problems.diskstats = now.error().message();
        return;
    }
    disk_before_ = *now;
    if (!before.has_value()) {
        to->problems.diskstats = kFirstLook;
        return;
    }
    Result<std::vector<LatencySample>> samples = DiskLatency(*before, *now, wall, span);
    if (samples.ok()) {
        Append(std::move(*samples), &to->samples);
    } else {
        to->problems.diskstats = samples.error().message();
    }
}

void LatencyCollector::TakeBpf(dev_t disk, WallTime wall, seconds span, LatencyReadings* to) {
    if (bpf_ == nullptr) {
        to->problems.bpf = "off";
        return;
    }
    if (!bpf_before_.has_value()) {
        Result<void> attached = bpf_->Attach(disk);
        if (!attached.ok()) {
            to->problems.bpf = attached.error().message();
            return;
        }
    }
    Result<std::vector<storekeeper_latency>> now = bpf_->Read();
    if (!now.ok()) {
        to->problems.bpf = now.error().message();
        bpf_before_.reset();
        return;
    }
    if (bpf_before_.has_value()) {
        Append(BpfSamples(*bpf_before_, *now, wall, span), &to->samples);
    } else {
        to->problems.bpf = kFirstLook;
    }
    bpf_before_ = std::move(*now);
}

void LatencyCollector::TakeUids(WallTime wall, LatencyReadings* to) {
    if (!files_.Exists(kUidIoPath)) {
        to->problems.uid_io = "the kernel has no " + std::string(kUidIoPath);
        return;
    }
    Result<std::vector<UidIo>> now = [&]() -> Result<std::vector<UidIo>> {
        return ParseUidIo(OR_RETURN(files_.ReadTable(kUidIoPath)));
    }();
    if (!now.ok()) {
        to->problems.uid_io = now.error().message();
        return;
    }
    if (uids_before_.has_value()) {
        for (const UidIo& grown : UidDelta(*uids_before_, *now)) {
            if (grown.written_bytes == 0) continue;
            to->uid_writes.push_back(
                    {.day = DayOf(wall), .uid = grown.uid, .written_bytes = grown.written_bytes});
        }
    } else {
        to->problems.uid_io = kFirstLook;
    }
    uids_before_ = std::move(*now);
}

}  // namespace storekeeper
