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
    urgent_ = urgent_ || urgent;
    pending_.Add(row);
}

void History::Add(const WearSample& sample) {
    MutexLock guard(lock_);
    const BootTime now = clock_.SinceBoot();
    const bool is_news = !last_wear_.has_value() || DeservesRow(*last_wear_, sample);
    // Samples arrive at a boot, after a run and daily. Keeping each of them postpones WearDue(), so
    // that the daily timer seldom wakes the device.
    if (!is_news && wear_at_.has_value() && now < *wear_at_ + kWearAtMost) return;
    Queue(sample, true);
    last_wear_ = sample;
    wear_at_ = now;
}

void History::Add(const LatencySample& sample) {
    MutexLock guard(lock_);
    Queue(sample, false);
}

void History::Add(const UidRow& row) {
    MutexLock guard(lock_);
    Queue(row, false);
}

void History::Add(const HistoryEvent& event) {
    MutexLock guard(lock_);
    Queue(event, true);
}

BootTime History::WearDueNow() const {
    return wear_at_.has_value() ? *wear_at_ + kWearAfter : BootTime::min();
}

BootTime History::WearDue() const {
    MutexLock guard(lock_);
    return WearDueNow();
}

bool History::IsFlushDue() const {
    MutexLock guard(lock_);
    return urgent_ || pending_.IsNearlyFull();
}

Result<void> History::RefreshSnapshot(const HistoryBatch* written) {
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
    if (!last_wear_.has_value() && !renewed->wear.empty()) {
        last_wear_ = renewed->wear.back();
        const WallTime age = clock_.Wall() - last_wear_->wall;
        if (age >= WallTime::zero()) {
            wear_at_ = clock_.SinceBoot() - std::min<WallTime>(age, kWearAfter);
        }
    }
    stored_ = std::move(renewed);
    if (written != nullptr) writing_.reset();
    return {};
}

std::string History::Problem(const Result<void>& done) {
    return done.ok() ? "" : "history is kept in memory only: " + done.error().message();
}

Result<void> History::Load() {
    MutexLock flushing(flush_lock_);
    Result<void> read = RefreshSnapshot(nullptr);
    MutexLock guard(lock_);
    problem_ = Problem(read);
    return read;
}

Result<void> History::Flush() {
    MutexLock flushing(flush_lock_);
    // A batch that failed earlier goes first and unchanged, because the disk may have kept it.
    while (const std::shared_ptr<const HistoryBatch> batch = NextToWrite()) {
        Result<void> written = store_.Write(*batch, clock_.Wall());
        const bool is_kept = written.ok();
        if (is_kept) written = RefreshSnapshot(batch.get());
        MutexLock guard(lock_);
        if (is_kept) writing_.reset();
        problem_ = Problem(written);
        if (!written.ok()) return written;
    }
    return {};
}

std::shared_ptr<const HistoryBatch> History::NextToWrite() {
    MutexLock guard(lock_);
    if (writing_ == nullptr && !pending_.empty()) {
        writing_ = std::make_shared<const HistoryBatch>(std::exchange(pending_, {}));
    }
    // Reset even if the flush fails later, so that retries are as rare as other flushes.
    urgent_ = false;
    return writing_;
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
    if (!problem.empty()) all.notes.push_back(std::move(problem));
    return std::make_shared<const HistorySnapshot>(std::move(all));
}

}  // namespace storekeeper
