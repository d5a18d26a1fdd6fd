// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/diskstats.h"
#include "base/file_reader.h"
#include "base/io_pressure.h"

namespace storekeeper {

// Watches what others do on the disks of a file system while it is trimmed, from /proc/diskstats
// and /proc/pressure/io.
class ForegroundWatch {
  public:
    ForegroundWatch(const FileReader& files, std::vector<dev_t> disks)
          : files_(files), disks_(std::move(disks)) {}

    // Call before and after each slice. Keeps the worst mean time of a read or a write between.
    void BeginSlice();
    void EndSlice();
    // What the disk discarded in the last slice; absent where the kernel does not count.
    struct Discards {
        uint64_t number = 0;
        uint64_t bytes = 0;
        std::chrono::milliseconds time{};  // from queueing to completion, added up
        // Reads and writes that ended meanwhile, the file system's own among them.
        uint64_t others = 0;
    };
    std::optional<Discards> discards() const { return discards_; }
    // The same of a slice that is under way.
    std::optional<Discards> DiscardsSoFar() const;
    // Whether others' reads and writes took longer in the last slices than in the pauses so far.
    // Yes where the kernel does not report.
    bool others_waited() const { return others_waited_; }

    // Call before and after a pause of this length: whether others kept the disk busy, or tasks
    // waiting for it, for most of the time in between.
    void BeginPause();
    bool WasBusy(std::chrono::nanoseconds pause);

    // Whether others have read or written since the last call. Yes where the kernel does not
    // report.
    bool OthersSince();

    // Call before and after a discard: whether it waited for nobody. Yes where the kernel does not
    // report.
    void BeginDiscard();
    bool WasAlone() const;

    std::optional<std::chrono::nanoseconds> worst() const { return worst_; }

  private:
    const FileReader& files_;
    const std::vector<dev_t> disks_;
    // At the last begin.
    android::base::Result<DiskStats> before_ = DiskStats();
    android::base::Result<IoPressure> pressure_before_ = IoPressure();
    std::optional<std::chrono::nanoseconds> worst_;
    std::optional<Discards> discards_;
    bool others_waited_ = true;
    // Others' requests in the last slices, and what they took.
    double disturbed_ = 0;
    double disturbed_ms_ = 0;
    // At the last call of OthersSince().
    uint64_t others_seen_ = 0;
    // At the begin of the last discard.
    android::base::Result<DiskStats> begun_ = DiskStats();
    // Others' requests in the pauses so far, and what they took.
    uint64_t undisturbed_ = 0;
    std::chrono::milliseconds undisturbed_time_{};
};

}  // namespace storekeeper
