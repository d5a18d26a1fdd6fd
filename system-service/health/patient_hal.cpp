// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/patient_hal.h"

#include <optional>
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
};

PatientHal::PatientHal(std::shared_ptr<DeviceHal> hal, std::chrono::milliseconds patience,
                       size_t stack_bytes)
      : hal_(std::move(hal)),
        patience_(patience),
        stack_bytes_(stack_bytes),
        desk_(std::make_shared<Desk>()) {}

template <typename Answer>
Answer PatientHal::Ask(Answer (DeviceHal::*question)()) {
    using std::chrono::steady_clock;
    Desk& desk = *desk_;
    // Written with the desk locked.
    const auto answer = std::make_shared<std::optional<Answer>>();
    MutexLock guard(desk.lock);
    const steady_clock::time_point turn_by = steady_clock::now() + patience_;
    while (desk.asking && !desk.overdue && steady_clock::now() < turn_by) {
        desk.changed.WaitUntil(desk.lock, turn_by);
    }
    if (desk.asking) return Error() << "the health HAL has not answered an earlier request";
    const auto ask = [hal = hal_, shared = desk_, answer, question] {
        Answer given = ((*hal).*question)();
        Desk& desk = *shared;
        MutexLock guard(desk.lock);
        *answer = std::move(given);
        desk.asking = desk.overdue = false;
        desk.changed.NotifyAll();
    };
    Result<Thread> thread = Thread::Start(ask, stack_bytes_);
    if (!thread.ok()) {
        return Error(thread.error().code())
               << "the health HAL is not asked: " << thread.error().message();
    }
    thread->Detach();
    desk.asking = true;
    const steady_clock::time_point answer_by = steady_clock::now() + patience_;
    while (!answer->has_value() && steady_clock::now() < answer_by) {
        desk.changed.WaitUntil(desk.lock, answer_by);
    }
    if (answer->has_value()) return **answer;
    desk.overdue = true;
    desk.changed.NotifyAll();
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
