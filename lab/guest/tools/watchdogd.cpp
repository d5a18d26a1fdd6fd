// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// watchdogd: pets the watchdog four times within its time-out (guest time), but only after every
// CPU has shown that it still schedules. Without that the device ends the guest.

#include <android-base/file.h>
#include <android-base/result.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <linux/watchdog.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <string>

namespace {

using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

Result<void> Pet() {
    unique_fd device(TEMP_FAILURE_RETRY(open("/dev/watchdog", O_WRONLY | O_CLOEXEC)));
    if (device.get() < 0) return ErrnoError() << "open /dev/watchdog";
    int timeout = 0;
    if (ioctl(device.get(), WDIOC_GETTIMEOUT, &timeout) != 0) {
        return ErrnoError() << "WDIOC_GETTIMEOUT";
    }
    const timespec pause{timeout / 4, 0};
    while (true) {
        // An RCU grace period: over when each CPU has passed through the scheduler (membarrier(2)).
        if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) != 0) {
            return ErrnoError() << "membarrier";
        }
        if (ioctl(device.get(), WDIOC_KEEPALIVE, 0) != 0) return ErrnoError() << "WDIOC_KEEPALIVE";
        nanosleep(&pause, nullptr);
    }
}

}  // namespace

int main() {
    const auto ended = Pet();
    android::base::WriteStringToFd("watchdogd: " + ended.error().message() + "\n", STDERR_FILENO);
    return 1;
}
