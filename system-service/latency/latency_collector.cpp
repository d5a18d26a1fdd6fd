// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/latency_collector.h"

#include <iterator>
#include <utility>

#include "base/device_hal.h"
#include "base/try.h"
#include "latency/bpf_sample.h"
#include "latency/disk_latency.h"
#include "latency/uid_io.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::seconds;

constexpr char kFirstLook[] = "first sample taken; figures follow with the next";

void Append(std::vector<LatencySample> samples, std::vector<LatencySample>* to) {
    to->insert(to->end(), std::make_move_iterator(samples.begin()),
               std::make_move_iterator(samples.end()));
}

}  // namespace

LatencyReadings LatencyCollector::Take(dev_t disk) {
    LatencyReadings readings;
    if (disk_ != disk) {
        disk_before_.reset();
        bpf_before_.reset();
    }
    const BootTime now = clock_.SinceBoot();
    const WallTime wall = clock_.Wall();
    const seconds span = std::chrono::duration_cast<seconds>(now - last_);
    TakeDisk(disk, wall, span, &readings);
    TakeBpf(disk, wall, span, &readings);
    TakeUids(wall, &readings);
    disk_ = disk;
    last_ = now;
    return readings;
}

LatencyReadings LatencyCollector::TakeProbe(const StopSignal& stop) {
    LatencyReadings readings;
    if (sources_.probe == nullptr) {
        readings.problems.probe = "off";
        return readings;
    }
    Result<std::vector<LatencySample>> probed = sources_.probe->Run(stop);
    if (!probed.ok()) {
        readings.problems.probe = probed.error().message();
    } else if (probed->empty()) {
        readings.problems.probe = "daily I/O budget used up, or the probe file is not complete yet";
    } else {
        readings.samples = std::move(*probed);
    }
    return readings;
}

Result<DiskStats> LatencyCollector::ReadDisk(dev_t disk) const {
    const Result<std::string> table = files_.ReadTable(kDiskstatsPath);
    if (table.ok()) return FindDiskStats(*table, disk);
    if (sources_.hal == nullptr) return android::base::unexpected(table.error());
    const Result<std::vector<HalDiskStats>> answer = sources_.hal->Disks();
    Result<DiskStats> reported = answer.ok() ? CheckedDisk(*answer) : Error() << answer.error();
    if (!reported.ok()) return Error() << table.error() << "; health HAL: " << reported.error();
    reported->device = disk;
    return reported;
}

void LatencyCollector::TakeDisk(dev_t disk, WallTime wall, seconds span, LatencyReadings* to) {
    Result<DiskStats> now = ReadDisk(disk);
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
    if (sources_.bpf == nullptr) {
        to->problems.bpf = "off";
        return;
    }
    if (!bpf_before_.has_value()) {
        Result<void> attached = sources_.bpf->Attach(disk);
        if (!attached.ok()) {
            to->problems.bpf = attached.error().message();
            return;
        }
    }
    Result<std::vector<storekeeper_latency>> now = sources_.bpf->Read();
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
        return ParseUidIo(TRY(files_.ReadTable(kUidIoPath)));
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
