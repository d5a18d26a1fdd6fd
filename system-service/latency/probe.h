// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/file_reader.h"
#include "base/pages.h"
#include "base/stop_signal.h"
#include "base/syscalls.h"
#include "latency/latency_sample.h"
#include "latency/probe_budget.h"

namespace storekeeper {

struct ProbeConfig {
    // One note of the budget, one read and one write.
    static constexpr uint32_t kMinKibPerDay = 12;
    static constexpr uint32_t kMaxKibPerDay = 1024;

    std::string path = "/data/misc/storekeeper/probe";
    // Limit of reads and writes in any 24 hours of being switched on, notes of the budget included.
    // When it is used up, up to four more notes a day store the idle time.
    uint32_t kib_per_day = 256;
    // Time between two runs; the caller enforces it.
    std::chrono::seconds period = std::chrono::hours(24);
    // I/Os of one page in one run; fewer if the budget ends.
    uint32_t reads = 16;
    uint32_t writes = 16;
    // Pages written per run until all 31 data pages exist. A run that leaves some unwritten uses up
    // its day's budget.
    uint32_t fill_pages = 31;
};

// Measures the storage by a few I/Os of one page on a file of 32 pages. They bypass the page cache
// (O_DIRECT), hit random pages, and alternate between reads and writes. Two runs must not overlap.
// A page is a block of the file system, of 4 KiB at least: f2fs serves less from the page cache.
//   read    pread(2)
//   write   pwrite(2) and fdatasync(2), the delay of an app that saves data
//   flush   the fdatasync(2) of a write alone
class Probe {
  public:
    Probe(Syscalls& syscalls, const FileReader& files, const Clock& clock, ProbeConfig config);

    // Returns no samples if the budget is used up, if the run was stopped before it began, or while
    // runs still fill the file. An error gives the reason why the probe cannot run.
    android::base::Result<std::vector<LatencySample>> Run(const StopSignal& stop);

  private:
    using SampleByKind = std::map<IoKind, LatencySample>;

    struct File {
        android::base::unique_fd fd;
        uint32_t page_bytes = 0;

        off_t PlaceOf(uint32_t page) const { return static_cast<off_t>(page) * page_bytes; }
    };

    android::base::Result<File> OpenFile();
    android::base::Result<ProbeBudget> ReadBudget(const File& file, const std::string& boot_id);
    // Writes the budget and flushes it to the medium.
    android::base::Result<void> WriteBudget(const File& file, const ProbeBudget& budget);
    android::base::Result<void> Fill(const File& file, const StopSignal& stop, ProbeBudget* budget);
    android::base::Result<void> ReadOne(const File& file, SampleByKind* samples);
    android::base::Result<void> WriteOne(const File& file, SampleByKind* samples);
    android::base::Result<void> WritePage(const File& file, uint32_t number,
                                          const AlignedPage& page);
    // A random page other than the one of the budget.
    uint32_t SomePage();
    // One page of incompressible bytes.
    AlignedPages RandomPage(const File& file);

    Syscalls& syscalls_;
    const FileReader& files_;
    const Clock& clock_;
    const ProbeConfig config_;
    std::minstd_rand random_;  // need not be secret
};

}  // namespace storekeeper
