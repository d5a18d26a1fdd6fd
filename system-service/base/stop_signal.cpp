// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/stop_signal.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

namespace storekeeper {

StopSignal::StopSignal() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void StopSignal::Raise(const std::string& reason) {
    MutexLock guard(lock_);
    if (reason_.has_value()) return;
    reason_ = reason;
    uint64_t one = 1;
    static_cast<void>(TEMP_FAILURE_RETRY(write(fd_.get(), &one, sizeof(one))));
}

void StopSignal::Reset() {
    MutexLock guard(lock_);
    reason_.reset();
    uint64_t count = 0;
    static_cast<void>(TEMP_FAILURE_RETRY(read(fd_.get(), &count, sizeof(count))));
}

std::optional<std::string> StopSignal::reason() const {
    MutexLock guard(lock_);
    return reason_;
}

}  // namespace storekeeper
