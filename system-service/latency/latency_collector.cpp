// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "latency/latency_collector.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/try.h"
#include "latency/disk_latency.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using std::chrono::seconds;

constexpr char kFirstLook[] = "first sample taken; figures follow with the next";

template <typename T>
void Put(Result<std::vector<T>> measured, std::vector<T>* to, std::string* problem) {
    if (measured.ok()) {
        std::move(measured->begin(), measured->end(), std::back_inserter(*to));
    } else {
        *problem = measured.error().message();
    }
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
    LatencyProblems& problems = readings.problems;
    Put(TakeDisk(disk, wall, span), &readings.samples, &problems.diskstats);
    Put(TakeBpf(disk, wall, span), &readings.samples, &problems.bpf);
    Put(TakeUids(wall), &readings.uid_writes, &problems.uid_io);
    disk_ = disk;
    last_ = now;
    return readings;
}

LatencyReadings LatencyCollector::TakeProbe(const StopSignal& stop) {
    LatencyReadings readings;
    Put(RunProbe(stop), &readings.samples, &readings.problems.probe);
    return readings;
}

LatencyCollector::Samples LatencyCollector::RunProbe(const StopSignal& stop) {
    if (sources_.probe == nullptr) return Error() << "off";
    std::vector<LatencySample> samples = TRY(sources_.probe->Run(stop));
    if (samples.empty()) {
        return Error() << "daily I/O budget used up, or the probe file is not complete yet";
    }
    return samples;
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

LatencyCollector::Samples LatencyCollector::TakeDisk(dev_t disk, WallTime wall, seconds span) {
    const std::optional<DiskStats> before = std::exchange(disk_before_, std::nullopt);
    disk_before_ = TRY(ReadDisk(disk));
    if (!before.has_value()) return Error() << kFirstLook;
    return DiskLatency(*before, *disk_before_, wall, span);
}

LatencyCollector::Samples LatencyCollector::TakeBpf(dev_t disk, WallTime wall, seconds span) {
    if (sources_.bpf == nullptr) return Error() << "off";
    const auto before = std::exchange(bpf_before_, std::nullopt);
    if (!before.has_value()) TRY(sources_.bpf->Attach(disk));
    bpf_before_ = TRY(sources_.bpf->Read());
    if (!before.has_value()) return Error() << kFirstLook;
    return BpfSamples(*before, *bpf_before_, wall, span);
}

Result<std::vector<UidWrites>> LatencyCollector::TakeUids(WallTime wall) {
    if (!files_.Exists(kUidIoPath)) return Error() << "the kernel has no " << kUidIoPath;
    std::vector<UidIo> now = TRY(ParseUidIo(TRY(files_.ReadTable(kUidIoPath))));
    const auto before = std::exchange(uids_before_, std::move(now));
    if (!before.has_value()) return Error() << kFirstLook;
    std::vector<UidWrites> writes;
    for (const UidIo& grown : UidDelta(*before, *uids_before_)) {
        if (grown.written_bytes == 0) continue;
        writes.push_back(
                {.day = DayOf(wall), .uid = grown.uid, .written_bytes = grown.written_bytes});
    }
    return writes;
}

}  // namespace storekeeper
