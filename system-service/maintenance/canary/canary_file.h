// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <string>
#include <vector>

#include "base/syscalls.h"
#include "base/try.h"
#include "maintenance/canary/canary.h"

namespace storekeeper {

// Writes and reads a canary on its file system.
class CanaryFile {
  public:
    CanaryFile(Syscalls& calls, std::string path) : calls_(calls), path_(std::move(path)) {}

    // Removes the file. An absent one is no error.
    android::base::Result<void> Remove();

    // Replaces the file, with one write for each end. The gap is chosen but not opened yet.
    // `written` counts the bytes written to the flash, also on failure.
    android::base::Result<Canary> Plant(const CanaryPlan& plan, uint64_t seed, uint64_t* written);

    android::base::Result<void> Sync();

    // Frees the gap and syncs the file.
    android::base::Result<void> OpenGap(Canary* canary);

    // Reads the kept parts past the caches.
    CanaryReading Read(const Canary& canary);

  private:
    android::base::Result<std::vector<FileExtent>> Extents(android::base::borrowed_fd fd);
    android::base::Result<void> Write(android::base::borrowed_fd fd, uint64_t seed, uint64_t from,
                                      uint64_t to);
    android::base::Result<android::base::unique_fd> Create(const CanaryPlan& plan);
    // Opens with O_DIRECT if the file system supports it.
    android::base::Result<android::base::unique_fd> OpenDirect(int flags);
    android::base::Result<android::base::unique_fd> OpenPastCaches();
    CanaryReading ReadPart(android::base::borrowed_fd fd, const Canary& canary, uint64_t offset);
    // The reading of a part that cannot be read because of an error.
    CanaryReading Unreadable(const ResultFailure& why);

    Syscalls& calls_;
    const std::string path_;
};

}  // namespace storekeeper
