// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/linux_crypto_priorities.h"

#include <android-base/unique_fd.h>
#include <errno.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "base/try.h"
#include "crypto/early/crypto_message.h"

namespace storekeeper {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// A socket for each: there are a handful in a boot.
Result<void> LinuxCryptoPriorities::Set(const std::string& driver, uint32_t priority) {
    const std::vector<uint8_t> message = TRY(EncodePriority(driver, priority, ++sequence_));
    const unique_fd fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_CRYPTO));
    if (!fd.ok()) return ErrnoError() << "NETLINK_CRYPTO is not available";
    // The kernel answers before send() returns; nothing is waited for in vain.
    const timeval patience = {.tv_sec = 1};
    if (setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) != 0) {
        return ErrnoError() << "cannot limit the time for NETLINK_CRYPTO";
    }
    const sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    const ssize_t sent =
            TEMP_FAILURE_RETRY(sendto(fd.get(), message.data(), message.size(), 0,
                                      reinterpret_cast<const sockaddr*>(&kernel), sizeof(kernel)));
    if (sent < 0) return ErrnoError() << "cannot ask for a priority of " << driver;
    std::array<uint8_t, 1024> answer{};
    const ssize_t size = TEMP_FAILURE_RETRY(recv(fd.get(), answer.data(), answer.size(), 0));
    if (size < 0) return ErrnoError() << "no answer about the priority of " << driver;
    Result<void> done = DecodeAnswer(std::span(answer).first(static_cast<size_t>(size)), sequence_);
    if (!done.ok()) {
        return Error(done.error().code())
               << "the priority of " << driver << ": " << done.error().message();
    }
    return {};
}

}  // namespace storekeeper
