// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/stop_signal.h"
#include "base/thread.h"
#include "maintenance/maintenance_run.h"

namespace storekeeper {

struct RunProgress {
    bool running = false;
    std::string action;  // "trim" or a MaintenanceAction::name(); "" before the first
    std::string mount;   // mount that is trimmed; "" between mounts
    bool stopping = false;
};

// Receives the events of runs, on the run's thread and without a lock held.
class RunObserver {
  public:
    virtual ~RunObserver() = default;
    // An error refuses the run: nothing is done, and the receipt has the reason.
    virtual android::base::Result<void> OnRunBegins(const TrimRequest& request) = 0;
    // Called before Run() returns.
    virtual void OnRunEnds(const TrimReceipt& receipt) = 0;
    // Called when the next run may begin.
    virtual void OnRunThreadIdle() = 0;
};

// Makes one run at a time on its own thread, so that only callers of Run() wait for the storage.
// The first run starts the thread.
class RunThread {
  public:
    RunThread(MaintenanceRun& run, RunObserver& observer) : run_(run), observer_(observer) {}
    // Stops the run under way and waits for its end.
    ~RunThread();
    RunThread(const RunThread&) = delete;
    RunThread& operator=(const RunThread&) = delete;

    // Begins a run. EBUSY: a run is under way. EAGAIN: the system has no thread left.
    android::base::Result<void> Start(TrimRequest request) EXCLUDES(lock_);
    // Like Start(), but waits for the end.
    android::base::Result<TrimReceipt> Run(TrimRequest request) EXCLUDES(lock_);
    // Raises the StopSignal of the run under way; `reason` goes into its receipt. Does not wait.
    // False if there is no run.
    bool Abort(const std::string& reason = "abort requested") EXCLUDES(lock_);

    RunProgress progress() const EXCLUDES(lock_);

  private:
    struct Job {
        TrimRequest request;
        TrimReceipt receipt;
        bool done = false;
    };

    android::base::Result<std::shared_ptr<Job>> Submit(TrimRequest request) EXCLUDES(lock_);
    std::shared_ptr<Job> WaitForJob() EXCLUDES(lock_);
    void RunJob(Job& job) EXCLUDES(lock_);

    MaintenanceRun& run_;
    RunObserver& observer_;
    StopSignal stop_;
    mutable Mutex lock_;
    ConditionVariable changed_;
    std::shared_ptr<Job> job_ GUARDED_BY(lock_);
    std::string action_ GUARDED_BY(lock_);
    std::string mount_ GUARDED_BY(lock_);
    bool quit_ GUARDED_BY(lock_) = false;
    std::optional<Thread> thread_ GUARDED_BY(lock_);
};

}  // namespace storekeeper
