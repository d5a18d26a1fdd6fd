// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <map>
#include <string>

namespace storekeeper::lab {

/**
 * init's own messages go to the kernel log (errors reach the console). The output of services goes
 * to one file that `logcat` follows, each line behind the service's name.
 */
class GuestLog {
  public:
    /** Opens the kernel log, and /run/logcat for the output of services. */
    static android::base::Result<GuestLog> Open();

    void Info(const std::string& line) const;
    void Error(const std::string& line) const;

    /** Takes a piece of a service's output, writes the lines that are complete. */
    void ServiceOutput(const std::string& service, std::string_view piece);
    /** The service's output ended: writes what is left without a newline. */
    void ServiceClosed(const std::string& service);

  private:
    GuestLog() = default;
    void Write(const std::string& service, std::string_view line);
    android::base::Result<void> Reopen(int flags);

    android::base::unique_fd kmsg_;
    android::base::unique_fd logcat_;
    size_t written_ = 0;
    std::map<std::string, std::string> partial_;
};

}  // namespace storekeeper::lab
