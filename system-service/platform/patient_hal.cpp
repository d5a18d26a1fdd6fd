// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/patient_hal.h"

#include <future>
#include <thread>
#include <utility>

namespace storekeeper {

using android::base::Error;
using android::base::Result;

PatientHal::PatientHal(std::shared_ptr<DeviceHal> hal, std::chrono::milliseconds patience)
      : hal_(std::move(hal)),
        patience_(patience),
        asking_(std::make_shared<std::atomic<bool>>(false)) {}

template <typename Answer>
Answer PatientHal::Ask(Answer (DeviceHal::*question)()) {
    if (asking_->exchange(true)) {
        return Error() << "the health HAL has not answered an earlier question yet";
    }
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> future = promise->get_future();
    std::thread([hal = hal_, asking = asking_, promise, question] {
        Answer answer = ((*hal).*question)();
        // First: who has the answer may ask again.
        asking->store(false);
        promise->set_value(std::move(answer));
    }).detach();
    if (future.wait_for(patience_) != std::future_status::ready) {
        return Error() << "the health HAL has not answered within " << patience_.count() << " ms";
    }
    return future.get();
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
