// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/trim_worker.h"

#include <errno.h>
#include <hardware_legacy/power.h>

#include <utility>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr char kWakeLock[] = "storekeeper";

}  // namespace

TrimWorker::~TrimWorker() {
    {
        MutexLock guard(lock_);
        quit_ = true;
        stop_.Raise("storekeeperd exits");
        next_.Raise("storekeeperd exits");
        changed_.NotifyAll();
    }
    thread_.reset();
}

Result<std::shared_ptr<TrimWorker::Job>> TrimWorker::Submit(TrimRequest request) {
    MutexLock guard(lock_);
    if (job_ != nullptr || quit_) return ResultFailure("another run is in progress", EBUSY);
    if (!thread_.has_value()) thread_.emplace(TRY(Thread::Start([this] { Loop(); })));
    stop_.Reset();
    job_ = std::make_shared<Job>();
    job_->request = std::move(request);
    next_.Raise("the next run");
    changed_.NotifyAll();
    return job_;
}

Result<void> TrimWorker::Start(TrimRequest request) {
    TRY(Submit(std::move(request)));
    return {};
}

Result<TrimReceipt> TrimWorker::Run(TrimRequest request) {
    const std::shared_ptr<Job> job = TRY(Submit(std::move(request)));
    MutexLock guard(lock_);
    while (!job->done) changed_.Wait(lock_);
    return job->receipt;
}

bool TrimWorker::Abort(const std::string& reason) {
    MutexLock guard(lock_);
    if (job_ == nullptr) return false;
    stop_.Raise(reason);
    return true;
}

TrimProgress TrimWorker::progress() const {
    MutexLock guard(lock_);
    return {.running = job_ != nullptr,
            .action = action_,
            .mount = mount_,
            .stopping = stop_.raised()};
}

std::shared_ptr<TrimWorker::Job> TrimWorker::NextJob() {
    MutexLock guard(lock_);
    while (job_ == nullptr && !quit_) changed_.Wait(lock_);
    if (!quit_) next_.Reset();
    return job_;
}

void TrimWorker::RunJob(Job& job) {
    observer_.OnTrimStarted(job.request);
    const Trimmer::Hooks hooks = {.progress =
                                          [this](const std::string& mount) {
                                              MutexLock guard(lock_);
                                              mount_ = mount;
                                          },
                                  .why_stop =
                                          [this](const TrimRequest& request) {
                                              return observer_.WhyStop(request);
                                          },
                                  .may_trim = [this] { return observer_.MayTrim(); },
                                  .acts =
                                          [this](const std::string& action) {
                                              MutexLock guard(lock_);
                                              action_ = action;
                                              mount_.clear();
                                          }};
    TrimReceipt receipt = run_.Run(job.request, stop_, hooks);
    observer_.OnTrimFinished(receipt);
    {
        MutexLock guard(lock_);
        job.receipt = std::move(receipt);
        job.done = true;
        job_ = nullptr;
        action_.clear();
        mount_.clear();
        changed_.NotifyAll();
    }
    observer_.OnTrimWorkerIdle();
}

void TrimWorker::Loop() {
    for (std::shared_ptr<Job> job = NextJob(); job != nullptr; job = NextJob()) {
        RunJob(*job);
        run_.GiveQueueBack(next_);
        observer_.OnTrimSettled();
    }
    static_cast<void>(run_.RestoreQueue());
}

Result<void> AcquireWakeLock() {
    if (acquire_wake_lock(PARTIAL_WAKE_LOCK, kWakeLock) != 0) {
        return Error() << "android.system.suspend gives no wake lock '" << kWakeLock << "'";
    }
    return {};
}

Result<void> ReleaseWakeLock() {
    if (release_wake_lock(kWakeLock) != 0)
        return Error() << "wake lock '" << kWakeLock << "' is not held";
    return {};
}

}  // namespace storekeeper
