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
    // A note of what is used, a read and a write.
    static constexpr uint32_t kMinKibPerDay = 12;
    static constexpr uint32_t kMaxKibPerDay = 1024;

    std::string path = "/data/misc/storekeeper/probe";
    // Read and written in any 24 hours of being switched on, with the notes of what is used. Where
    // it is used up, four more notes a day of the time that passes.
    uint32_t kib_per_day = 256;
    // Between two runs, for the caller.
    std::chrono::seconds period = std::chrono::hours(24);
    // Of 4 KiB each, in one run; fewer where the budget ends.
    uint32_t reads = 16;
    uint32_t writes = 16;
    // Of the file's 31, written in one run until all have been. A run that leaves some over uses up
    // its day.
    uint32_t fill_pages = 31;
};

// Measures the storage by a few I/Os of its own, on a file of 128 KiB, which passes the page cache
// by (O_DIRECT): 4 KiB at random places, reads and writes in turn. Two runs must not overlap.
//   read    pread(2)
//   write   pwrite(2) and fdatasync(2), as an app sees that saves something
//   flush   the fdatasync(2) of these alone
class Probe {
  public:
    Probe(Syscalls& syscalls, const FileReader& files, const Clock& clock, ProbeConfig config);

    // No sample: nothing is left of the budget, or it was stopped before it began. The first runs
    // fill the file. An error says why there can be no probe.
    android::base::Result<std::vector<LatencySample>> Run(const StopSignal& stop);

  private:
    using SampleByKind = std::map<IoKind, LatencySample>;

    android::base::Result<android::base::unique_fd> OpenFile();
    android::base::Result<ProbeBudget> ReadBudget(android::base::borrowed_fd file,
                                                  const std::string& boot_id);
    // A write that is on the medium when it returns.
    android::base::Result<void> WriteBudget(android::base::borrowed_fd file,
                                            const ProbeBudget& budget);
    android::base::Result<void> Fill(android::base::borrowed_fd file, const StopSignal& stop,
                                     ProbeBudget* budget);
    android::base::Result<void> ReadOne(android::base::borrowed_fd file, SampleByKind* samples);
    android::base::Result<void> WriteOne(android::base::borrowed_fd file, SampleByKind* samples);
    android::base::Result<void> WritePage(android::base::borrowed_fd file, uint32_t number,
                                          const AlignedPage& page);
    // Any but the one of the budget.
    uint32_t SomePage();
    // Bytes that no card can compress.
    AlignedPages RandomPage();

    Syscalls& syscalls_;
    const FileReader& files_;
    const Clock& clock_;
    const ProbeConfig config_;
    std::minstd_rand random_;  // nothing secret
};

}  // namespace storekeeper
