// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <errno.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "base/thread.h"
#include "maintenance/trim/maintenance_run.h"

namespace storekeeper {

struct TrimProgress {
    bool running = false;
    std::string action;  // "trim", or the MaintenanceAction::name() of another; "" before the first
    std::string mount;   // being trimmed; "" between mounts
    bool stopping = false;
};

// Called on the worker's thread, without a lock held.
class TrimObserver {
  public:
    virtual ~TrimObserver() = default;
    virtual void OnTrimStarted(const TrimRequest& request) = 0;
    // Before anybody who waits for the run learns of its end.
    virtual void OnTrimFinished(const TrimReceipt& receipt) = 0;
    // Asked between the slices of a run: why it must stop now, such as a gate that has closed.
    // Absent: go on.
    virtual std::optional<std::string> WhyStop(const TrimRequest& /* request */) {
        return std::nullopt;
    }
    // Asked before a run does anything: why nothing may be trimmed now, with its errno.
    virtual android::base::Result<void> MayTrim() { return {}; }
    // The worker would take the next request now.
    virtual void OnTrimWorkerIdle() = 0;
    // The queue of the disk is as it was before the run, or the next run begins.
    virtual void OnTrimSettled() {}
};

// Of an error of Start() and Run().
inline TrimOutcome OutcomeOfRefusal(int error) {
    return error == EBUSY ? TrimOutcome::kBusy : TrimOutcome::kFailed;
}

// Makes one run at a time on a thread of its own, so that nobody who asks anything else waits for
// the storage. The first run starts the thread.
class TrimWorker {
  public:
    TrimWorker(MaintenanceRun& run, TrimObserver& observer) : run_(run), observer_(observer) {}
    // Stops the run under way and waits for it. The queue of the disk is as it was.
    ~TrimWorker();
    TrimWorker(const TrimWorker&) = delete;
    TrimWorker& operator=(const TrimWorker&) = delete;

    // EBUSY: a run is under way already. EAGAIN: the system has no thread left.
    android::base::Result<void> Start(TrimRequest request) EXCLUDES(lock_);

    // Start() and wait for the end, after the observer was called.
    android::base::Result<TrimReceipt> Run(TrimRequest request) EXCLUDES(lock_);

    // Ends the run under way at once, in the middle of a slice where need be; `reason` goes into
    // its receipt. False when there is none. Does not wait.
    bool Abort(const std::string& reason = "abort requested") EXCLUDES(lock_);

    TrimProgress progress() const EXCLUDES(lock_);

  private:
    struct Job {
        TrimRequest request;
        TrimReceipt receipt;
        bool done = false;
    };

    android::base::Result<std::shared_ptr<Job>> Submit(TrimRequest request) EXCLUDES(lock_);
    void Loop() EXCLUDES(lock_);
    void RunJob(Job& job) EXCLUDES(lock_);
    std::shared_ptr<Job> NextJob() EXCLUDES(lock_);

    MaintenanceRun& run_;
    TrimObserver& observer_;
    StopSignal stop_;
    // The next run, or the end: nobody waits for a quiet disk any longer.
    StopSignal next_;
    mutable Mutex lock_;
    ConditionVariable changed_;
    std::shared_ptr<Job> job_ GUARDED_BY(lock_);
    std::string action_ GUARDED_BY(lock_);
    std::string mount_ GUARDED_BY(lock_);
    bool quit_ GUARDED_BY(lock_) = false;
    std::optional<Thread> thread_ GUARDED_BY(lock_);
};

// Keeps the device from suspending: a wake lock of android.system.suspend, by libpower, which needs
// no capability (the kernel's own /sys/power/wake_lock wants CAP_BLOCK_SUSPEND). It ends with the
// process that holds it. Acquiring twice is one lock. An error means that the device may suspend; a
// run then goes on when it wakes.
android::base::Result<void> AcquireWakeLock();
android::base::Result<void> ReleaseWakeLock();

}  // namespace storekeeper
