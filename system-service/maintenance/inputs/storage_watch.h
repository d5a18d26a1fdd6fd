// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/file_reader.h"
#include "maintenance/policy/readings.h"

namespace storekeeper {

// The most that any disk does, of the text of /proc/diskstats. Devices whose requests another
// device serves do not count.
struct BusiestDisk {
    uint64_t in_flight = 0;
    std::chrono::milliseconds busy{};
};
android::base::Result<BusiestDisk> FindBusiestDisk(std::string_view diskstats);

// Reports how busy the storage is: by pressure where the kernel has it, else by the time the disks
// worked since the last look.
class StorageWatch {
  public:
    StorageWatch(const FileReader& files, const Clock& clock) : files_(files), clock_(clock) {}

    // A look, from which the next one counts; within a second of the last one, what that measured.
    android::base::Result<StorageReading> Read();
    // The same for an observer: the next one counts from where it would have.
    android::base::Result<StorageReading> Peek();

  private:
    android::base::Result<StorageReading> Measure(bool look);
    // Percent since the last look; absent at the first one, and when that was too long ago
    // anything of now.
    std::optional<int> BusySinceLastLook(const BusiestDisk& activity, bool look);

    const FileReader& files_;
    const Clock& clock_;
    std::optional<BusiestDisk> last_;
    BootTime last_look_{};
    std::optional<int> last_percent_;
};

}  // namespace storekeeper
