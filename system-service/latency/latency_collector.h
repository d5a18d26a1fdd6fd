// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/device_hal.h"
#include "base/diskstats.h"
#include "base/file_reader.h"
#include "latency/latency_sample.h"
#include "latency/probe.h"
#include "latency/uid_io.h"

namespace storekeeper {

// Mean latency of a disk's requests between two readings of its counters in the same boot. One
// sample for each kind with completed requests, in the order of kIoKinds; none for kinds that the
// kernel does not count, nor for writes if it counts discards among them. The histograms are empty.
// `wall` is the time of the second reading, `span` the time between the readings.
//
// A counter that wrapped once is corrected. Errors: another device, no time between the readings,
// or counters that decreased without a wrap.
android::base::Result<std::vector<LatencySample>> DiskLatency(const DiskStats& before,
                                                              const DiskStats& after, WallTime wall,
                                                              std::chrono::seconds span);

// Reasons for missing measurements, by source; empty if it was measured.
struct LatencyProblems {
    std::string diskstats;
    std::string probe;
    std::string uid_io;
};

struct LatencyReadings {
    std::vector<LatencySample> samples;
    // The fields below cover the `span` that ends at `wall`, and are absent if not counted. After a
    // failed read of kUidIoPath `uids` reaches back to the last successful one.
    WallTime wall{};
    std::chrono::seconds span{};
    std::vector<UidIo> uids;
    std::optional<uint64_t> filesystem_bytes;  // written to the devices of the file system
    std::optional<uint64_t> disk_bytes;        // written to the disks
    LatencyProblems problems;
};

// Measures I/O since the previous measurement. The counters of the previous one are kept in memory
// only, so I/O before the first Measure() is not reported. Not thread-safe.
class LatencyCollector {
  public:
    // Null sources are not used. The HAL is queried if /proc/diskstats cannot be read.
    struct Sources {
        Probe* probe = nullptr;
        DeviceHal* hal = nullptr;
    };
    LatencyCollector(const FileReader& files, const Clock& clock, const Sources& sources)
          : files_(files), clock_(clock), sources_(sources) {}

    // `disks` are the whole disks below /data; a change of them restarts their measurement.
    // `filesystem` holds the devices directly below its file system, partitions or device mapper
    // devices; empty if unknown.
    LatencyReadings Measure(const std::vector<dev_t>& disks, const std::vector<dev_t>& filesystem);

    // Runs the probe and waits for its I/Os. problems.probe gives the reason for a missing sample.
    LatencyReadings MeasureProbe(const StopSignal& stop);

  private:
    using Samples = android::base::Result<std::vector<LatencySample>>;

    android::base::Result<DiskStats> ReadDisks(const std::vector<dev_t>& disks) const;
    Samples MeasureDisks(const std::vector<dev_t>& disks, WallTime wall, std::chrono::seconds span);
    Samples RunProbe(const StopSignal& stop);
    android::base::Result<std::vector<UidIo>> MeasureUids();
    std::optional<uint64_t> MeasureFilesystem(const std::vector<dev_t>& devices);

    const FileReader& files_;
    const Clock& clock_;
    const Sources sources_;
    std::vector<dev_t> disks_;
    std::vector<dev_t> filesystem_;
    BootTime last_{};
    std::optional<DiskStats> disks_before_;
    std::optional<uint64_t> filesystem_before_;
    std::optional<std::vector<UidIo>> uids_before_;
};

}  // namespace storekeeper
