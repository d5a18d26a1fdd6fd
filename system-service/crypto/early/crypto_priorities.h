// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>

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

}  // namespace storekeeper
