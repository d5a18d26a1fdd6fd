// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>
#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/file_reader.h"
#include "base/syscalls.h"
#include "latency/bpf/storekeeper_latency.h"
#include "latency/latency_sample.h"

namespace storekeeper {

// The histograms that latency/bpf/storekeeperLatency.c keeps in the kernel. Opt-in: bpfloader (in
// the virtual phone lab/bpf) has loaded and pinned the programs before; this one only lets them
// run, which needs CAP_SYS_ADMIN or CAP_PERFMON, and reads.
class BpfLatency {
  public:
    BpfLatency(Syscalls& syscalls, const FileReader& files) : syscalls_(syscalls), files_(files) {}

    // Counts the requests of this disk (not of a partition) from now on until it is destroyed. An
    // error says what is missing; then nothing is counted.
    android::base::Result<void> Attach(dev_t disk);

    // Counted since the programs were loaded, by kind (STOREKEEPER_READ and so on), once attached.
    android::base::Result<std::vector<storekeeper_latency>> Read() const;

  private:
    android::base::Result<android::base::unique_fd> OpenPin(const std::string& path) const;
    android::base::Result<android::base::unique_fd> OpenMap(const std::string& name,
                                                            size_t value_size) const;
    android::base::Result<android::base::unique_fd> Run(const std::string& event) const;

    Syscalls& syscalls_;
    const FileReader& files_;
    android::base::unique_fd latency_;
    android::base::unique_fd issue_;
    android::base::unique_fd complete_;
};

// What was counted between two readings of BpfLatency: a sample for each kind of which any ended.
// `before` may be empty, for all. A bucket that went backwards counts as 0: the programs were
// loaded anew.
std::vector<LatencySample> BpfSamples(const std::vector<storekeeper_latency>& before,
                                      const std::vector<storekeeper_latency>& after, WallTime wall,
                                      std::chrono::seconds span);

}  // namespace storekeeper
