// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/logging.h>
#include <sys/sysmacros.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "maintenance/maintenance_run.h"
#include "testing/trim_seams.h"

namespace storekeeper {

// Runs over two mounts, /data and /cache, on one card.
class TwoMountsTest : public TrimSeamsTest {
  protected:
    TwoMountsTest() {
        tree_.Write("/proc/self/mountinfo",
                    "40 21 179:2 / /data rw - ext4 /dev/block/mmcblk0p2 rw\n"
                    "41 21 179:1 / /cache rw - ext4 /dev/block/mmcblk0p1 rw\n");
        WriteDiskstats(0, 0);
        Mount("/data", 2, 4096000, 0);
        Mount("/cache", 1, 512000, 0);
    }

    static constexpr uint64_t kSize = 1 << 30;

    void WriteDiskstats(uint64_t data_sectors, uint64_t cache_sectors) {
        std::string zeros = " 0 0 0 0 0 0 0 0 0 0 0 5 0 ";
        tree_.Write("/proc/diskstats", "179 1 mmcblk0p1" + zeros + std::to_string(cache_sectors) +
                                               " 1 0 0\n" + "179 2 mmcblk0p2" + zeros +
                                               std::to_string(data_sectors) + " 1 0 0\n");
    }

    void Mount(const std::string& path, unsigned partition, uint64_t answer, int error) {
        syscalls_.Add(path,
                      FakeSyscalls::Mount{.device = static_cast<dev_t>(makedev(179, partition)),
                                          .size_bytes = kSize,
                                          .answer_bytes = answer,
                                          .error = error,
                                          .during = [this] { during_(); }});
    }

    // Runs `what` and keeps its log lines in log_.
    void Logging(const std::function<void()>& what) {
        std::vector<std::string> lines;
        android::base::SetLogger([&](android::base::LogId, android::base::LogSeverity, const char*,
                                     const char*, unsigned int,
                                     const char* line) { lines.emplace_back(line); });
        what();
        // Android 11's does not return the logger before.
        android::base::SetLogger(android::base::StderrLogger);
        log_ = std::move(lines);
    }

    TrimReceipt Run(const std::vector<std::string>& mounts = {}) {
        TrimReceipt receipt;
        Logging([&] { receipt = run_.Run({.manual = true, .mounts = mounts}, stop_, progress_); });
        return receipt;
    }

    std::function<void()> during_ = [] {};
    StopSignal stop_;
    std::vector<std::string> reported_;  // mounts, as reported by the progress
    const MaintenanceRun::Progress progress_ = [this](const std::string&, const std::string& m) {
        if (!m.empty()) reported_.push_back(m);
    };
    std::vector<std::string> log_;
    MaintenanceRun run_{seams_, {.configured = {"/cache", "/data"}}, {}};
};

}  // namespace storekeeper
