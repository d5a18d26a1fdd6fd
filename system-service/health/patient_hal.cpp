// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/patient_hal.h"

#include <cstdint>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "base/mutex.h"

namespace storekeeper {

using android::base::Error;
using android::base::Result;

struct PatientHal::Desk {
    Mutex lock;
    ConditionVariable changed;
    bool asking GUARDED_BY(lock) = false;
    // The question that stands has outlasted the patience of who asked it.
    bool overdue GUARDED_BY(lock) = false;
    uint64_t turn GUARDED_BY(lock) = 0;

    // Absent when the HAL does not answer.
    std::optional<uint64_t> TakeTurn(std::chrono::milliseconds patience) EXCLUDES(lock) {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        MutexLock guard(lock);
        while (asking && !overdue && std::chrono::steady_clock::now() < deadline) {
            changed.WaitUntil(lock, deadline);
        }
        if (asking) return std::nullopt;
        asking = true;
        return ++turn;
    }
    // Unless it is answered by now.
    void MarkOverdue(uint64_t of_turn) EXCLUDES(lock) {
        MutexLock guard(lock);
        if (!asking || turn != of_turn) return;
        overdue = true;
        changed.NotifyAll();
    }
    void EndTurn() EXCLUDES(lock) {
        MutexLock guard(lock);
        asking = overdue = false;
        changed.NotifyAll();
    }
};

PatientHal::PatientHal(std::shared_ptr<DeviceHal> hal, std::chrono::milliseconds patience)
      : hal_(std::move(hal)), patience_(patience), desk_(std::make_shared<Desk>()) {}

template <typename Answer>
Answer PatientHal::Ask(Answer (DeviceHal::*question)()) {
    const std::optional<uint64_t> turn = desk_->TakeTurn(patience_);
    if (!turn.has_value()) {
        return Error() << "the health HAL has not answered an earlier request";
    }
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> future = promise->get_future();
    std::thread([hal = hal_, desk = desk_, promise, question] {
        promise->set_value(((*hal).*question)());
        desk->EndTurn();
    }).detach();
    if (future.wait_for(patience_) == std::future_status::ready) return future.get();
    desk_->MarkOverdue(*turn);
    return Error() << "the health HAL has not answered within " << patience_.count() << " ms";
}

Result<std::vector<HalStorageInfo>> PatientHal::Storage() {
    return Ask(&DeviceHal::Storage);
}

Result<std::vector<HalDiskStats>> PatientHal::Disks() {
    return Ask(&DeviceHal::Disks);
}

Result<HalBattery> PatientHal::Battery() {
    return Ask(&DeviceHal::Battery);
}

}  // namespace storekeeper
