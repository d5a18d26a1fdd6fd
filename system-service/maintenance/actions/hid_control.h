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

// Fragmentation as a UFS reports it.
struct HidReading {
    HidState state = HidState::kUnknown;
    bool is_at_work() const { return state == HidState::kAnalysis || state == HidState::kDefrag; }
    // Absent if the chip does not report it, as before an analysis.
    std::optional<uint64_t> fragmented_bytes;
};

// Host-initiated defragmentation of the UFS below /data (JESD220G 13.4.20, sysfs since Linux 6.17:
// group `hid` of Documentation/ABI/testing/sysfs-driver-ufs). Only init may write there. These
// properties request it:
//   storekeeper.hid.{analysis,defrag}  "enable" or "disable"
//   storekeeper.hid.size               in units of 4 KiB
// When the daemon dies, init ends the work under way. Each reading makes the kernel query the chip.
class HidControl {
  public:
    HidControl(const FileReader& files, Pauser& pauser, InitProperties properties)
          : files_(files), pauser_(pauser), properties_(std::move(properties)) {}

    // ENODEV: the disk is no UFS, or its kernel or firmware has no such defragmentation. The
    // message says which, and names a vendor's own defragmentation if there is one.
    android::base::Result<HidReading> Read(dev_t disk) const;

    // Each returns when the chip shows that it has begun, with the state shown then; a short
    // operation may have ended already. EBUSY: another operation is under way. A device may show
    // its findings only once.
    android::base::Result<HidReading> Analyze(dev_t disk);
    // The caller must have analyzed first if the device has forgotten its findings.
    android::base::Result<HidReading> Defragment(dev_t disk, uint64_t bytes);
    // Progress of a defragmentation in percent. Call it only while one was just seen under way: a
    // reading can consume the value that another process waits for, and 100 becomes 0.
    std::optional<uint64_t> Progress(dev_t disk) const;
    // Ends the operation that Analyze() or Defragment() began, and waits until the chip shows it.
    android::base::Result<void> Stop(dev_t disk);

    // Requests the end of operations that an earlier daemon began. Does not wait.
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
