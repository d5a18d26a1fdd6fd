// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/diskstats.h"
#include "base/file_reader.h"
#include "base/record_file.h"
#include "base/stop_signal.h"
#include "base/syscalls.h"
#include "maintenance/actions/action.h"
#include "maintenance/canary/chip_guard.h"
#include "maintenance/trim/card_model.h"
#include "maintenance/trim/cursor.h"
#include "maintenance/trim/fitrim.h"
#include "maintenance/trim/queue_control.h"
#include "maintenance/trim/receipt.h"
#include "maintenance/trim/selection.h"
#include "maintenance/trim/trim_steps.h"

namespace storekeeper {

// Services of the system that a trim uses. They outlive it.
struct TrimSeams {
    Syscalls& syscalls;
    const FileReader& files;
    const Clock& clock;
    FitrimRunner& fitrim;
    Pauser& pauser;
    QueueControl& queue;
    RecordFile& records;
    ChipGuard& chips;
};

// Figures of a mount before a pass over it, in bytes.
struct PassPlan {
    std::string key;  // CursorKey()
    TrimSteps steps;
    uint64_t size_bytes = 0;      // as statvfs(3) reports it
    uint64_t device_bytes = 0;    // the file system ends there or before
    bool misses_devices = false;  // it is larger than its known devices
    uint64_t free_bytes = 0;
    uint64_t block_bytes = 0;
    uint64_t cursor = 0;  // place at which a stopped pass continues
};

android::base::Result<PassPlan> PlanPass(const TrimSeams& seams, const Selection& selection);

// Opens the mount for FITRIM, after checks that its device is there and nothing covers it.
android::base::Result<std::unique_ptr<TrimSession>> BeginSession(const TrimSeams& seams,
                                                                 const Selection& selection);

// One FITRIM, repeated while the system was suspended during it. Returns the largest answer. EINTR:
// `stop` was raised. Adds the number of calls to `calls`.
android::base::Result<uint64_t> TrimWholeRange(TrimSession* session, const TrimRange& range,
                                               const StopSignal& stop, uint64_t* calls);

// Trims one mount step by step; docs/trim.md has the rules.
class TrimPass {
  public:
    // `budget`: time that one discard may take. `model`: of the disk whose queue can be set, shared
    // by the mounts of a run. Absent before its first mount.
    TrimPass(const TrimSeams& seams, const Selection& selection, const TrimRequest& request,
             std::chrono::nanoseconds budget, std::optional<CardModel>* model,
             const StopSignal& stop);

    // Trims until the end or until it is stopped. Stores the cursor every ten minutes; the end of
    // the run stores it again.
    MountReceipt Run();

  private:
    android::base::Result<void> Trim();
    android::base::Result<void> TrimStep(uint64_t end);
    android::base::Result<uint64_t> Fitrim(const TrimRange& range);
    // Asks FITRIM for a range that is never free, to see whether its answers are counts.
    android::base::Result<void> CheckAnswers();
    void FindDisks();
    void FitQueue();
    // Records the cost of a step in the model; returns its discarding time.
    std::chrono::nanoseconds RecordCost(const android::base::Result<DiskStats>& before,
                                        std::chrono::nanoseconds took);
    android::base::Result<void> Verify();
    void CountDiscards(const android::base::Result<DiskStats>& before);
    // Notes which devices and free extents the figures leave out.
    void NoteLimits();
    // Puts size and time of a discard into the receipt, and the chip's cost into state.log.
    void ReportCost();
    void PutCursorAt(uint64_t position);

    const TrimSeams& seams_;
    const Selection& selection_;
    const TrimRequest& request_;
    const std::chrono::nanoseconds budget_;
    std::optional<CardModel>* const model_;
    const StopSignal& stop_;
    MountReceipt receipt_;
    PassPlan plan_;
    std::unique_ptr<TrimSession> session_;
    uint64_t position_ = 0;  // everything from the start of the pass to here is done
    bool counts_ = true;     // the file system's answers are byte counts
    BootTime cursor_stored_{};
    std::vector<dev_t> disks_;
    dev_t queue_disk_ = 0;
    std::string chip_;
    std::optional<DiscardLimits> limits_;  // absent: the queue stays as it is
    uint64_t discard_bytes_ = 0;           // size of discards in force; 0: the device's own
};

}  // namespace storekeeper
