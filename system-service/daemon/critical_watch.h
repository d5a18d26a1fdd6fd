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

// Waits for the UFS of /data to report a critical health condition: its host's critical_health
// (Linux 6.15, Documentation/ABI/testing/sysfs-driver-ufs), which poll(2) can wait for. Nothing
// wakes meanwhile.
class CriticalWatch {
  public:
    // A UFS that reports again and again wakes no more often than this.
    static constexpr std::chrono::minutes kRest{15};

    CriticalWatch(Syscalls& syscalls, const FileReader& files, const Clock& clock)
          : syscalls_(syscalls), files_(files), clock_(clock) {}

    // To be polled for POLLPRI; -1 where there is nothing to wait for now: no UFS, an older kernel,
    // or the rest after a report. For one wait: a later one asks again.
    int Descriptor();

    // The descriptor had an event. False when the host has gone away with its file.
    bool Take();

  private:
    // A read is what the next event is new against.
    android::base::Result<void> Read();
    android::base::Result<void> Open();

    Syscalls& syscalls_;
    const FileReader& files_;
    const Clock& clock_;
    android::base::unique_fd file_;
    std::optional<BootTime> taken_;
};

}  // namespace storekeeper
