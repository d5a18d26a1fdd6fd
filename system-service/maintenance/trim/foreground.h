// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>

#include "base/diskstats.h"
#include "base/file_reader.h"

namespace storekeeper {

// Watches what others do on a disk while it is trimmed, from /proc/diskstats and
// /proc/pressure/io.
class ForegroundWatch {
  public:
    ForegroundWatch(const FileReader& files, dev_t disk);

    // Call before and after each slice. Keeps the worst mean time of a read or a write between.
    void BeginSlice();
    void EndSlice();
    // Discards that the disk completed in the last slice; absent where the kernel does not count.
    std::optional<uint64_t> discards() const { return discards_; }

    // Call before and after a pause of this length: whether others kept the disk busy, or tasks
    // waiting for it, for most of the time in between.
    void BeginPause();
    bool WasBusy(std::chrono::nanoseconds pause) const;

    std::optional<std::chrono::nanoseconds> worst() const { return worst_; }

  private:
    std::optional<DiskStats> Disk() const;
    std::optional<std::chrono::microseconds> Stalled() const;

    const FileReader& files_;
    const dev_t disk_;
    std::optional<DiskStats> before_;
    std::optional<std::chrono::microseconds> stalled_before_;
    std::optional<std::chrono::nanoseconds> worst_;
    std::optional<uint64_t> discards_;
};

}  // namespace storekeeper
