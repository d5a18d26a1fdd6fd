// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "crypto/early/crypto_priorities.h"

namespace storekeeper {

class LinuxCryptoPriorities : public CryptoPriorities {
  public:
    android::base::Result<void> Set(const std::string& driver, uint32_t priority) override;

  private:
    uint32_t sequence_ = 0;
};

}  // namespace storekeeper
