// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace storekeeper {

// The kernel's order of drivers for a cipher. So that a test can play the kernel.
class CryptoPriorities {
  public:
    virtual ~CryptoPriorities() = default;

    // Gives a driver a priority for those who ask for the cipher from now on, and has instances of
    // templates made of it made anew. Errors keep their errno as code: EPROTONOSUPPORT, the kernel
    // has no NETLINK_CRYPTO; EPERM, without CAP_NET_ADMIN; ENOENT, no such driver.
    virtual android::base::Result<void> Set(const std::string& driver, uint32_t priority) = 0;
};

class LinuxCryptoPriorities : public CryptoPriorities {
  public:
    android::base::Result<void> Set(const std::string& driver, uint32_t priority) override;

  private:
    uint32_t sequence_ = 0;
};

// Netlink messages to the kernel's crypto configuration, linux/cryptouser.h; pure. The structures
// have no pointers and are the same for programs of 32 and of 64 bits; numbers are in the
// processor's order. No other request of that interface is ever made.

// CRYPTO_MSG_UPDATEALG with a priority: the driver of exactly this name has it from now on, and
// instances of templates that are made of it are forgotten (crypto_update_alg() in the kernel's
// crypto/crypto_user.c). An error for names that the kernel has no room for.
android::base::Result<std::vector<uint8_t>> EncodePriority(const std::string& driver,
                                                           uint32_t priority, uint32_t sequence);

// What the kernel answers to it: nothing wrong, or an error with its errno as code. EBADMSG for
// what is no answer to `sequence`.
android::base::Result<void> DecodeAnswer(std::span<const uint8_t> bytes, uint32_t sequence);

}  // namespace storekeeper
