// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <optional>
#include <string>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "bench/evidence.h"

namespace storekeeper {

// What the kernel says of the place that is measured.
class DeviceReader {
  public:
    // `folder` is a path without links. An error says what of it could not be found out.
    static android::base::Result<DeviceReader> Of(const FileReader& files, Syscalls& syscalls,
                                                  const std::string& folder);

    const BenchPlace& place() const { return place_; }
    // What cannot be read is absent. The clocks come last, or, `clocks_first`, first: so that the
    // time between two readings has nothing of the readings in it.
    DeviceState Read(bool clocks_first) const;

  private:
    DeviceReader(const FileReader& files, Syscalls& syscalls, std::string folder)
          : files_(files), syscalls_(syscalls), folder_(std::move(folder)) {}

    // The disk below the folder and what is known of it. An error says why it cannot be watched.
    android::base::Result<void> FindDisk(const MountTable& table);

    const FileReader& files_;
    Syscalls& syscalls_;
    const std::string folder_;
    BenchPlace place_;
    std::optional<dev_t> disk_;
    std::string f2fs_;  // its folder in sysfs; "" when it is none
};

}  // namespace storekeeper
