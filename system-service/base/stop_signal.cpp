// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/stop_signal.h"

#include <poll.h>
#include <sys/eventfd.h>

namespace storekeeper {

StopSignal::StopSignal() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void StopSignal::Raise(const std::string& reason) {
    MutexLock guard(lock_);
    if (reason_.has_value()) return;
    reason_ = reason;
    static_cast<void>(eventfd_write(fd_.get(), 1));
}

void StopSignal::Reset() {
    MutexLock guard(lock_);
    reason_.reset();
    eventfd_t count = 0;
    static_cast<void>(eventfd_read(fd_.get(), &count));
}

std::optional<std::string> StopSignal::reason() const {
    MutexLock guard(lock_);
    return reason_;
}

void LinuxPauser::Pause(std::chrono::nanoseconds time, const StopSignal& stop) {
    if (time.count() <= 0 || stop.raised()) return;
    auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
    timespec timeout = {.tv_sec = static_cast<time_t>(seconds.count()),
                        .tv_nsec = static_cast<long>((time - seconds).count())};
    pollfd wait = {.fd = stop.fd(), .events = POLLIN, .revents = 0};
    // A signal may cut the pause short, which does no harm.
    static_cast<void>(ppoll(&wait, 1, &timeout, nullptr));
}

}  // namespace storekeeper
