// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/cipher_calls.h"

#include <errno.h>
#include <linux/if_alg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::borrowed_fd;
using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

// SOL_ALG of linux/socket.h, which bionic has only since API 26.
constexpr int kSolAlg = 279;
// struct af_alg_iv of linux/if_alg.h, followed by its bytes.
struct AlgIv {
    uint32_t size = kAesBlock;
    CipherIv bytes;
};
constexpr size_t kOperationSpace = CMSG_SPACE(sizeof(uint32_t));
constexpr size_t kIvSpace = CMSG_SPACE(sizeof(AlgIv));

template <typename T>
void Put(cmsghdr* header, int type, const T& value) {
    header->cmsg_level = kSolAlg;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(sizeof(value));
    memcpy(CMSG_DATA(header), &value, sizeof(value));
}

}  // namespace

Result<unique_fd> LinuxCipherCalls::Bind(const std::string& cipher) {
    unique_fd fd(socket(AF_ALG, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    if (!fd.ok()) return ErrnoError() << "AF_ALG is not available";
    sockaddr_alg address = {};
    address.salg_family = AF_ALG;
    memcpy(address.salg_type, "skcipher", sizeof("skcipher"));
    if (cipher.size() >= sizeof(address.salg_name)) {
        return Error(ENAMETOOLONG) << "'" << cipher << "' is too long for AF_ALG";
    }
    memcpy(address.salg_name, cipher.c_str(), cipher.size());
    if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        return ErrnoError() << "AF_ALG has no " << cipher;
    }
    return fd;
}

Result<unique_fd> LinuxCipherCalls::SetKey(borrowed_fd bound, const uint8_t* key, size_t size) {
    if (setsockopt(bound.get(), kSolAlg, ALG_SET_KEY, key, static_cast<socklen_t>(size)) != 0) {
        return ErrnoError() << "the cipher refuses a key of " << size << " bytes";
    }
    unique_fd fd(TEMP_FAILURE_RETRY(accept4(bound.get(), nullptr, nullptr, SOCK_CLOEXEC)));
    if (!fd.ok()) return ErrnoError() << "cannot begin to use the cipher";
    return fd;
}

Result<void> LinuxCipherCalls::Crypt(borrowed_fd operation, bool encrypt, const CipherIv* iv,
                                     uint8_t* data, size_t size) {
    alignas(cmsghdr) char control[kOperationSpace + kIvSpace] = {};
    iovec bytes = {.iov_base = data, .iov_len = size};
    msghdr message = {};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = kOperationSpace + (iv != nullptr ? kIvSpace : 0);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    const uint32_t direction = encrypt ? ALG_OP_ENCRYPT : ALG_OP_DECRYPT;
    Put(header, ALG_SET_OP, direction);
    if (iv != nullptr) Put(CMSG_NXTHDR(&message, header), ALG_SET_IV, AlgIv{.bytes = *iv});
    const ssize_t sent = TEMP_FAILURE_RETRY(sendmsg(operation.get(), &message, 0));
    if (sent < 0) return ErrnoError() << "the cipher takes no data";
    if (static_cast<size_t>(sent) != size) {
        return Error(EIO) << "the cipher took " << sent << " of " << size << " bytes";
    }
    // Kernels before 4.14 return 16 pages at a time.
    for (size_t done = 0; done < size;) {
        const ssize_t count = TEMP_FAILURE_RETRY(read(operation.get(), data + done, size - done));
        if (count < 0) return ErrnoError() << "the cipher failed";
        if (count == 0) return Error(EIO) << "the cipher gave " << done << " of " << size;
        done += static_cast<size_t>(count);
    }
    return {};
}

Result<void> LinuxCipherCalls::Random(uint8_t* bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        // Called by number, because bionic has the function only since API 28.
        const long count = TEMP_FAILURE_RETRY(syscall(SYS_getrandom, bytes + done, size - done, 0));
        if (count < 0) return ErrnoError() << "cannot get random bytes";
        done += static_cast<size_t>(count);
    }
    return {};
}

std::chrono::nanoseconds LinuxCipherCalls::Raw() const {
    return ReadClock(CLOCK_MONOTONIC_RAW);
}

std::chrono::nanoseconds LinuxCipherCalls::ProcessCpu() const {
    return ReadClock(CLOCK_PROCESS_CPUTIME_ID);
}

unsigned LinuxCipherCalls::Processors() const {
    return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

Result<SecretBytes> SecretBytes::Random(CipherCalls& calls, size_t size) {
    SecretBytes bytes{std::vector<uint8_t>(size)};
    TRY(calls.Random(bytes.bytes_.data(), size));
    return bytes;
}

void SecretBytes::Wipe() {
    // volatile: the compiler must not omit writes that nobody reads.
    volatile uint8_t* at = bytes_.data();
    for (size_t i = 0; i < bytes_.size(); ++i) at[i] = 0;
}

Result<CipherSession> CipherSession::Open(CipherCalls& calls, const std::string& driver,
                                          const SecretBytes& key, Iv iv) {
    unique_fd bound = TRY(calls.Bind(driver));
    unique_fd operation = TRY(calls.SetKey(bound, key.data(), key.size()));
    return CipherSession(calls, std::move(bound), std::move(operation), iv);
}

Result<void> CipherSession::Crypt(bool encrypt, const CipherIv& iv, uint8_t* data, size_t size) {
    return calls_->Crypt(operation_, encrypt, with_iv_ ? &iv : nullptr, data, size);
}

}  // namespace storekeeper
