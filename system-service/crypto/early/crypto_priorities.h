// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace storekeeper {

// The kernel's order of drivers for a cipher. A test implements it as a fake kernel.
class CryptoPriorities {
  public:
    virtual ~CryptoPriorities() = default;

    // Sets the priority of a driver for later requests of its cipher. The kernel then makes
    // instances of templates that use it anew. Errors keep their errno as code: EPROTONOSUPPORT,
    // the kernel has no NETLINK_CRYPTO; EPERM, CAP_NET_ADMIN is missing; ENOENT, no such driver.
    virtual android::base::Result<void> Set(const std::string& driver, uint32_t priority) = 0;
};

class LinuxCryptoPriorities : public CryptoPriorities {
  public:
    android::base::Result<void> Set(const std::string& driver, uint32_t priority) override;

  private:
    uint32_t sequence_ = 0;
};

// Netlink messages to the kernel's crypto configuration, linux/cryptouser.h. The structures have no
// pointers and are the same for programs of 32 and 64 bits; numbers are in the processor's byte
// order. No other request of that interface is ever made.

// Encodes CRYPTO_MSG_UPDATEALG with a priority. The driver of exactly this name gets it, and
// instances of templates that use the driver are forgotten (crypto_update_alg() in the kernel's
// crypto/crypto_user.c). An error for names that are too long for the kernel.
android::base::Result<std::vector<uint8_t>> EncodePriority(const std::string& driver,
                                                           uint32_t priority, uint32_t sequence);

// Decodes the kernel's answer: success, or an error with its errno as code. EBADMSG for data that
// is no answer to `sequence`.
android::base::Result<void> DecodeAnswer(std::span<const uint8_t> bytes, uint32_t sequence);

}  // namespace storekeeper
