// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// Wake locks of the virtual phone: a file each, with an exclusive flock(2), which the kernel takes
// back when the holder ends, as binder does from a dead holder on a device.

#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <hardware_legacy/power.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace {

// The folder of wake locks, which init makes; a unit test sets its own.
std::string Folder() {
    const char* folder = getenv("STOREKEEPER_WAKE_LOCKS");
    return folder == nullptr ? "/dev/wake_locks" : folder;
}

std::mutex mutex;
std::map<std::string, android::base::unique_fd>& Held() {
    static auto& held = *new std::map<std::string, android::base::unique_fd>;
    return held;
}

}  // namespace

int acquire_wake_lock(int, const char* id) {
    std::lock_guard guard(mutex);
    if (Held().contains(id)) return 0;
    const std::string path = Folder() + "/" + id;
    android::base::unique_fd file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!file.ok() || flock(file.get(), LOCK_EX | LOCK_NB) != 0) return -1;
    Held()[id] = std::move(file);
    return 0;
}

int release_wake_lock(const char* id) {
    std::lock_guard guard(mutex);
    return Held().erase(id) == 0 ? -1 : 0;
}
