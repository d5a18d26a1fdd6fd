// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "bench/system/termination.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>

namespace storekeeper {
namespace {

sigset_t Signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    return signals;
}

}  // namespace

Termination::Termination() {
    const sigset_t signals = Signals();
    fd_.reset(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    // What cannot be reported is not held back.
    if (fd_.ok()) sigprocmask(SIG_BLOCK, &signals, nullptr);
}

Termination::~Termination() {
    const sigset_t signals = Signals();
    // What has been heeded must not end the program after all.
    const timespec now = {};
    while (sigtimedwait(&signals, nullptr, &now) > 0) {
    }
    sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

bool Termination::requested() const {
    pollfd wanted = {.fd = fd_.get(), .events = POLLIN, .revents = 0};
    return TEMP_FAILURE_RETRY(poll(&wanted, 1, 0)) > 0;
}

}  // namespace storekeeper
