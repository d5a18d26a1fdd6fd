// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "platform/wake_lock.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Result;
using android::base::unique_fd;

constexpr char kName[] = "storekeeper";

Result<void> Write(const std::string& path, const std::string& text) {
    // No O_CREAT: a kernel without the file must not get one.
    unique_fd fd(TEMP_FAILURE_RETRY(open(path.c_str(), O_WRONLY | O_CLOEXEC)));
    if (!fd.ok()) return ErrnoError() << "cannot open " << path;
    if (!android::base::WriteStringToFd(text, fd)) return ErrnoError() << "cannot write " << path;
    return {};
}

}  // namespace

KernelWakeLock::KernelWakeLock(std::string folder) : folder_(std::move(folder)) {}

Result<void> KernelWakeLock::Acquire(std::chrono::nanoseconds at_most) {
    return Write(folder_ + "/wake_lock", kName + (" " + std::to_string(at_most.count())));
}

Result<void> KernelWakeLock::Release() {
    return Write(folder_ + "/wake_unlock", kName);
}

}  // namespace storekeeper
