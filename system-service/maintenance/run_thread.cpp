// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/run_thread.h"

#include <errno.h>

#include <utility>

#include "base/try.h"

namespace storekeeper {

using android::base::Result;

RunThread::~RunThread() {
    {
        MutexLock guard(lock_);
        quit_ = true;
        stop_.Raise("storekeeperd exits");
        changed_.NotifyAll();
    }
    thread_.reset();
}

Result<std::shared_ptr<RunThread::Job>> RunThread::Submit(TrimRequest request) {
    MutexLock guard(lock_);
    if (job_ != nullptr || quit_) return ResultFailure("another run is in progress", EBUSY);
    if (!thread_.has_value()) {
        thread_.emplace(TRY(Thread::Start([this] {
            while (const std::shared_ptr<Job> job = WaitForJob()) RunJob(*job);
        })));
    }
    stop_.Reset();
    job_ = std::make_shared<Job>();
    job_->request = std::move(request);
    changed_.NotifyAll();
    return job_;
}

Result<void> RunThread::Start(TrimRequest request) {
    TRY(Submit(std::move(request)));
    return {};
}

Result<TrimReceipt> RunThread::Run(TrimRequest request) {
    const std::shared_ptr<Job> job = TRY(Submit(std::move(request)));
    MutexLock guard(lock_);
    while (!job->done) changed_.Wait(lock_);
    return job->receipt;
}

bool RunThread::Abort(const std::string& reason) {
    MutexLock guard(lock_);
    if (job_ == nullptr) return false;
    stop_.Raise(reason);
    return true;
}

RunProgress RunThread::progress() const {
    MutexLock guard(lock_);
    return {.running = job_ != nullptr,
            .action = action_,
            .mount = mount_,
            .stopping = stop_.raised()};
}

std::shared_ptr<RunThread::Job> RunThread::WaitForJob() {
    MutexLock guard(lock_);
    while (job_ == nullptr && !quit_) changed_.Wait(lock_);
    return job_;
}

void RunThread::RunJob(Job& job) {
    TrimReceipt receipt;
    if (const Result<void> may = observer_.OnRunBegins(job.request); may.ok()) {
        receipt = run_.Run(job.request, stop_, [this](const auto& action, const auto& mount) {
            MutexLock guard(lock_);
            action_ = action;
            mount_ = mount;
        });
    } else {
        receipt = run_.Refuse(job.request, may.error());
    }
    observer_.OnRunEnds(receipt);
    {
        MutexLock guard(lock_);
        job.receipt = std::move(receipt);
        job.done = true;
        job_ = nullptr;
        action_.clear();
        mount_.clear();
        changed_.NotifyAll();
    }
    observer_.OnRunThreadIdle();
}

}  // namespace storekeeper
