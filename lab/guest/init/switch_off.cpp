// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <errno.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

#include "init.h"

namespace storekeeper::lab {

void SwitchOff(bool reboot_after, GuestLog& log) {
    log.Info(reboot_after ? "rebooting" : "powering off");
    kill(-1, SIGKILL);
    while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
    for (const char* mount : {"/cache", "/data"}) umount(mount);
    sync();
    reboot(reboot_after ? RB_AUTOBOOT : RB_POWER_OFF);
    _exit(1);
}

}  // namespace storekeeper::lab
