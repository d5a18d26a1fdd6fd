// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/file_reader.h"
#include "base/stop_signal.h"
#include "health/ufs_fields.h"
#include "maintenance/actions/init_requests.h"

namespace storekeeper {

// What a UFS says of its fragmentation.
struct HidReading {
    HidState state = HidState::kUnknown;
    bool is_at_work() const { return state == HidState::kAnalysis || state == HidState::kDefrag; }
    // Absent where the chip does not report it: before an analysis, or ever.
    std::optional<uint64_t> fragmented_bytes;
};

// Host-initiated defragmentation of the UFS below /data (JESD220G 13.4.20, sysfs since Linux 6.17:
// group `hid` of Documentation/ABI/testing/sysfs-driver-ufs). Only init may write there, asked by
//   storekeeper.hid.{analysis,defrag}  "enable" or "disable"
//   storekeeper.hid.size               in units of 4 KiB
// and ends what is under way when the daemon dies. The kernel asks the chip at each reading.
class HidControl {
  public:
    HidControl(const FileReader& files, Pauser& pauser, InitProperties properties)
          : files_(files), pauser_(pauser), properties_(std::move(properties)) {}

    // ENODEV: the disk is no UFS, or its kernel or firmware has no such defragmentation; the
    // message names the one and, where there is one, the vendor's own.
    android::base::Result<HidReading> Read(dev_t disk) const;

    // Each returns once the chip shows that it has begun, and what it shows then: a short one has
    // ended. EBUSY: something is under way already. A device may show what it has found once only.
    android::base::Result<HidReading> Analyze(dev_t disk);
    // Analyzes first, where the device has forgotten what it found.
    android::base::Result<HidReading> Defragment(dev_t disk, uint64_t bytes);
    // In percent. Only of a defragmentation that was just seen under way: read at another time it
    // takes what somebody else waits for, 100 becomes 0.
    std::optional<uint64_t> Progress(dev_t disk) const;
    // Ends what Analyze() or Defragment() has begun, and waits until the chip shows it.
    android::base::Result<void> Stop(dev_t disk);

    // Asks for the end of what a daemon before this one has begun. Does not wait.
    android::base::Result<void> Restore();

  private:
    android::base::Result<std::string> Folder(dev_t disk) const;
    android::base::Result<HidReading> ReadIn(const std::string& folder) const;
    android::base::Result<HidReading> Begin(dev_t disk, const char* property);

    const FileReader& files_;
    Pauser& pauser_;
    const InitProperties properties_;
};

}  // namespace storekeeper
