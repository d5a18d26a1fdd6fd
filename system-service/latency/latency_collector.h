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

// How long a disk's requests took between two looks at its counters in the same boot: a sample for
// each kind of which any ended, in the order of kIoKinds; none for kinds the kernel does not count.
// Means only: there is no histogram. `wall` is the time of the second look, `span` the time between
// them.
//
// A counter that wrapped once is understood. An error says why nothing can be reported: another
// device, no time between the looks, or counters that went backwards otherwise.
android::base::Result<std::vector<LatencySample>> DiskLatency(const DiskStats& before,
                                                              const DiskStats& after, WallTime wall,
                                                              std::chrono::seconds span);

// Why something was not measured, or empty.
struct LatencyProblems {
    std::string diskstats;
    std::string probe;
    std::string uid_io;
};

struct LatencyReadings {
    std::vector<LatencySample> samples;
    // The rest is what was read or written since the time before. Of `span` nothing else is left
    // out: what was not counted is absent.
    WallTime wall{};
    std::chrono::seconds span{};
    std::vector<UidIo> uids;
    std::optional<uint64_t> filesystem_bytes;  // written to the devices of the file system
    std::optional<uint64_t> disk_bytes;        // written to the disks
    LatencyProblems problems;
};

// Measures, once in a while, what has happened since it measured last. It remembers the counters
// in memory only: they are those of this boot, and what happens before the first Take() is not
// reported. Not for two threads at once.
class LatencyCollector {
  public:
    // All of these may be null: not wanted. The HAL is asked where /proc/diskstats cannot be read.
    struct Sources {
        Probe* probe = nullptr;
        DeviceHal* hal = nullptr;
    };
    LatencyCollector(const FileReader& files, const Clock& clock, const Sources& sources)
          : files_(files), clock_(clock), sources_(sources) {}

    // `disks`: the whole disks that /data is on in the end. Others than before begin anew.
    // `filesystem`: the devices that its file system lies on itself, partitions or the device
    // mapper's; none when they are not known.
    LatencyReadings Take(const std::vector<dev_t>& disks, const std::vector<dev_t>& filesystem);

    // Runs the probe, which lasts as long as its I/Os; problems.probe says why there is no sample.
    LatencyReadings TakeProbe(const StopSignal& stop);

  private:
    using Samples = android::base::Result<std::vector<LatencySample>>;

    android::base::Result<DiskStats> ReadDisks(const std::vector<dev_t>& disks) const;
    Samples TakeDisks(const std::vector<dev_t>& disks, WallTime wall, std::chrono::seconds span);
    Samples RunProbe(const StopSignal& stop);
    android::base::Result<std::vector<UidIo>> TakeUids();
    std::optional<uint64_t> TakeFilesystem(const std::vector<dev_t>& devices);

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
