// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <chrono>
#include <optional>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/syscalls.h"

namespace storekeeper {

// Waits for a critical health condition of the UFS of /data: poll(2) on its host's critical_health
// (Linux 6.15, Documentation/ABI/testing/sysfs-driver-ufs). Until then it does not wake the device.
class CriticalWatch {
  public:
    // Pause after a report, so that repeated reports do not wake the device more often.
    static constexpr std::chrono::minutes kRest{15};

    CriticalWatch(Syscalls& syscalls, const FileReader& files, const Clock& clock)
          : syscalls_(syscalls), files_(files), clock_(clock) {}

    // A descriptor to poll for POLLPRI, valid for one wait. -1 if there is nothing to wait for now:
    // no UFS, an older kernel, or the pause after a report.
    int Descriptor();

    // Acknowledges an event of the descriptor. False if the host has disappeared.
    bool Acknowledge();

  private:
    // Reads the file, which arms it for the next event.
    android::base::Result<void> Read();
    android::base::Result<void> Open();

    Syscalls& syscalls_;
    const FileReader& files_;
    const Clock& clock_;
    android::base::unique_fd file_;
    std::optional<BootTime> acknowledged_;
};

}  // namespace storekeeper
