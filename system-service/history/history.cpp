// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/history.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "history/retention.h"

namespace storekeeper {

using android::base::Result;

namespace {

bool Contains(const std::vector<std::string>& notes, const std::string& note) {
    return note.empty() || std::find(notes.begin(), notes.end(), note) != notes.end();
}

}  // namespace

History::History(Syscalls& calls, std::string path, const Clock& clock, uint64_t max_bytes)
      : clock_(clock),
        store_(calls, std::move(path), max_bytes),
        stored_(std::make_shared<const HistorySnapshot>()) {}

template <typename Row>
void History::Queue(const Row& row, bool urgent) {
    if (!waiting_since_.has_value()) waiting_since_ = clock_.SinceBoot();
    urgent_ = urgent_ || urgent;
    pending_.Add(row);
}

void History::Add(const WearSample& sample) {
    MutexLock guard(lock_);
    if (last_wear_.has_value() && !IsNews(*last_wear_, sample)) return;
    Queue(sample, last_wear_.has_value() && IsTurn(*last_wear_, sample));
    last_wear_ = sample;
}

void History::Add(const LatencySample& sample) {
    MutexLock guard(lock_);
    Queue(sample, false);
}

void History::Add(const UidWrites& writes) {
    MutexLock guard(lock_);
    Queue(writes, false);
}

void History::Add(const HistoryEvent& event) {
    MutexLock guard(lock_);
    Queue(event, true);
}

bool History::IsFlushDue() const {
    MutexLock guard(lock_);
    return waiting_since_.has_value() && (urgent_ || pending_.IsNearlyFull() ||
                                          clock_.SinceBoot() - *waiting_since_ >= kFlushAfter);
}

Result<void> History::Renew(const HistoryBatch* written) {
    std::shared_ptr<const HistorySnapshot> last;
    {
        MutexLock guard(lock_);
        last = stored_;
    }
    HistorySnapshot stored;
    if (written == nullptr || !has_read_ || last->IsCrowded() ||
        !Contains(last->notes, store_.note())) {
        stored = TRY(store_.Read(clock_.Wall()));
    } else {
        stored = WithPending(*last, *written);
    }
    has_read_ = true;
    if (!Contains(stored.notes, store_.note())) stored.notes.push_back(store_.note());
    auto renewed = std::make_shared<const HistorySnapshot>(std::move(stored));
    MutexLock guard(lock_);
    if (!last_wear_.has_value() && !renewed->wear.empty()) last_wear_ = renewed->wear.back();
    stored_ = std::move(renewed);
    writing_.reset();
    return {};
}

void History::Report(const Result<void>& done) {
    MutexLock guard(lock_);
    problem_ = done.ok() ? "" : "history is kept in memory only: " + done.error().message();
}

Result<void> History::Load() {
    MutexLock flushing(flush_lock_);
    Result<void> read = Renew(nullptr);
    Report(read);
    return read;
}

Result<void> History::Flush() {
    MutexLock flushing(flush_lock_);
    std::shared_ptr<const HistoryBatch> batch;
    {
        MutexLock guard(lock_);
        if (pending_.empty()) return {};
        batch = std::make_shared<const HistoryBatch>(std::exchange(pending_, {}));
        writing_ = batch;
        waiting_since_.reset();
        urgent_ = false;
    }
    Result<void> written = store_.Write(*batch, clock_.Wall());
    if (written.ok()) {
        written = Renew(batch.get());
        MutexLock guard(lock_);
        writing_.reset();
    } else {
        MutexLock guard(lock_);
        HistoryBatch all = *batch;
        all.Add(pending_);
        pending_ = std::move(all);
        writing_.reset();
        // The next attempt is as far away as any flush.
        waiting_since_ = clock_.SinceBoot();
    }
    Report(written);
    return written;
}

std::shared_ptr<const HistorySnapshot> History::Snapshot() const {
    std::shared_ptr<const HistorySnapshot> stored;
    HistoryBatch pending;
    std::string problem;
    {
        MutexLock guard(lock_);
        stored = stored_;
        if (writing_ != nullptr) pending = *writing_;
        pending.Add(pending_);
        problem = problem_;
    }
    HistorySnapshot all = WithPending(*stored, pending);
    if (!problem.empty()) {
        all.memory_only = true;
        all.notes.push_back(std::move(problem));
    }
    return std::make_shared<const HistorySnapshot>(std::move(all));
}

}  // namespace storekeeper
