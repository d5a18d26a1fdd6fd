// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/diskstats.h"
#include "base/file_reader.h"
#include "base/stop_signal.h"

namespace storekeeper {

// Finds the moments at which others leave the disks of a file system alone, from /proc/diskstats.
// Others' requests come in turn, or in bursts. Whoever was served a moment ago is not back yet:
// what begins then meets the next request least often.
class Lulls {
  public:
    Lulls(const FileReader& files, const Clock& clock, Pauser& pauser, const StopSignal& stop,
          std::vector<dev_t> disks)
          : files_(files), clock_(clock), pauser_(pauser), stop_(stop), disks_(std::move(disks)) {}

    // Each of these returns what it has waited; at once where the kernel does not report.
    // Until others' requests have just ended, 12 ms at most.
    std::chrono::nanoseconds Await();
    // Until others' write has just ended, 60 ms at most; else as Await() does.
    std::chrono::nanoseconds AwaitAfterWrite();
    // Before what takes longer, as a sync does: behind a write, and a read that follows it.
    std::chrono::nanoseconds AwaitLong();

  private:
    enum class After { kAny, kWrites };
    // Whether there is one within this time.
    bool AwaitAfter(After after, std::chrono::nanoseconds longest);
    // Whether such requests have come and ended since `came` was false, and none have come since
    // the last call.
    bool IsLull(After after, bool* came);

    const FileReader& files_;
    const Clock& clock_;
    Pauser& pauser_;
    const StopSignal& stop_;
    const std::vector<dev_t> disks_;
    // At the last look.
    android::base::Result<DiskStats> looked_ = DiskStats();
};

}  // namespace storekeeper
