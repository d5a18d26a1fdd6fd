// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/early/crypto_priorities.h"

#include <android-base/unique_fd.h>
#include <errno.h>
#include <linux/cryptouser.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cstddef>

#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

static_assert(sizeof(crypto_user_alg) == 208 && offsetof(crypto_user_alg, cru_type) == 192);
static_assert(sizeof(nlmsghdr) == 16 && sizeof(nlattr) == 4);

struct Attribute {
    nlattr header;
    uint32_t value;
};
struct Message {
    nlmsghdr header;
    crypto_user_alg algorithm;
    Attribute priority;
};
static_assert(sizeof(Message) == 232);

}  // namespace

Result<std::vector<uint8_t>> EncodePriority(const std::string& driver, uint32_t priority,
                                            uint32_t sequence) {
    Message message = {};
    // The kernel needs one byte for the terminator.
    if (driver.empty() || driver.size() >= sizeof(message.algorithm.cru_driver_name)) {
        return Error(EINVAL) << "'" << driver << "' as the name of a driver";
    }
    message.header = {.nlmsg_len = sizeof(message),
                      .nlmsg_type = CRYPTO_MSG_UPDATEALG,
                      .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
                      .nlmsg_seq = sequence};
    memcpy(message.algorithm.cru_driver_name, driver.data(), driver.size());
    message.priority = {.header = {.nla_len = sizeof(Attribute),
                                   .nla_type = CRYPTOCFGA_PRIORITY_VAL},
                        .value = priority};
    const auto* bytes = reinterpret_cast<const uint8_t*>(&message);
    return std::vector<uint8_t>(bytes, bytes + sizeof(message));
}

Result<void> DecodeAnswer(std::span<const uint8_t> bytes, uint32_t sequence) {
    nlmsghdr header = {};
    int32_t error = 0;
    // size() is signed up to Android 14.
    if (static_cast<size_t>(bytes.size()) < sizeof(header) + sizeof(error)) {
        return Error(EBADMSG) << "an answer of " << bytes.size() << " bytes";
    }
    memcpy(&header, bytes.data(), sizeof(header));
    if (header.nlmsg_type != NLMSG_ERROR || header.nlmsg_seq != sequence) {
        return Error(EBADMSG) << "an answer of type " << header.nlmsg_type << " to "
                              << header.nlmsg_seq << " instead of " << sequence;
    }
    memcpy(&error, bytes.data() + sizeof(header), sizeof(error));
    if (error > 0) return Error(EBADMSG) << "an error of " << error;
    if (error < 0) return Error(-error) << "the kernel refuses: " << strerror(-error);
    return {};
}

// Each call opens a socket: there are a handful in a boot.
Result<void> LinuxCryptoPriorities::Set(const std::string& driver, uint32_t priority) {
    const std::vector<uint8_t> message = TRY(EncodePriority(driver, priority, ++sequence_));
    const unique_fd fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_CRYPTO));
    if (!fd.ok()) return ErrnoError() << "NETLINK_CRYPTO is not available";
    // The kernel answers before sendto() returns, so the timeout never passes in practice.
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
