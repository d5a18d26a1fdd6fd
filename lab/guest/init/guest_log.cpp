// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "guest_log.h"

#include <android-base/file.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

namespace storekeeper::lab {

using android::base::ErrnoError;
using android::base::Result;

namespace {

constexpr char kLogcat[] = "/run/logcat";
constexpr char kOlderLogcat[] = "/run/logcat.1";
// AID_LOG
constexpr gid_t kLogGroup = 1007;
// tmpfs is memory: two files of this size at most.
constexpr size_t kMaxBytes = 4 << 20;
// A line without end is cut here, so that a service cannot fill init's memory.
constexpr size_t kMaxLine = 4096;

}  // namespace

Result<GuestLog> GuestLog::Open() {
    GuestLog log;
    log.kmsg_.reset(open("/dev/kmsg", O_WRONLY | O_CLOEXEC));
    if (log.kmsg_.get() < 0) return ErrnoError() << "open /dev/kmsg";
    if (auto opened = log.Reopen(0); !opened.ok()) return opened.error();
    return log;
}

Result<void> GuestLog::Reopen(int flags) {
    logcat_.reset(open(kLogcat, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | flags, 0664));
    if (logcat_.get() < 0) return ErrnoError() << "open " << kLogcat;
    // `logcat -c` of the shell user: on a device logd does it for its group.
    if (fchown(logcat_.get(), 0, kLogGroup) != 0 || fchmod(logcat_.get(), 0664) != 0) {
        return ErrnoError() << "give " << kLogcat << " to the group log";
    }
    written_ = 0;
    return {};
}

void GuestLog::Info(const std::string& line) const {
    android::base::WriteStringToFd("<6>init: " + line, kmsg_);
}

void GuestLog::Error(const std::string& line) const {
    android::base::WriteStringToFd("<3>init: " + line, kmsg_);
}

void GuestLog::Write(const std::string& service, std::string_view line) {
    const std::string text = service + ": " + std::string(line) + "\n";
    if (written_ + text.size() > kMaxBytes) {
        rename(kLogcat, kOlderLogcat);
        if (auto opened = Reopen(O_TRUNC); !opened.ok()) {
            Error(opened.error().message());
            return;
        }
    }
    written_ += text.size();
    android::base::WriteStringToFd(text, logcat_);
}

void GuestLog::ServiceOutput(const std::string& service, std::string_view piece) {
    std::string& partial = partial_[service];
    for (const char c : piece) {
        if (c != '\n') partial += c;
        if (c == '\n' || partial.size() >= kMaxLine) {
            Write(service, partial);
            partial.clear();
        }
    }
}

void GuestLog::ServiceClosed(const std::string& service) {
    const auto found = partial_.find(service);
    if (found == partial_.end()) return;
    if (!found->second.empty()) Write(service, found->second);
    partial_.erase(found);
}

}  // namespace storekeeper::lab
