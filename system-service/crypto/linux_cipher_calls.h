// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include "crypto/cipher_calls.h"

namespace storekeeper {

class LinuxCipherCalls : public CipherCalls {
  public:
    android::base::Result<android::base::unique_fd> Bind(const std::string& cipher) override;
    android::base::Result<android::base::unique_fd> SetKey(android::base::borrowed_fd bound,
                                                           const uint8_t* key,
                                                           size_t size) override;
    android::base::Result<void> Crypt(android::base::borrowed_fd operation, bool encrypt,
                                      const CipherIv* iv, uint8_t* data, size_t size) override;
    android::base::Result<void> Random(uint8_t* bytes, size_t size) override;
    std::chrono::nanoseconds Raw() const override;
    std::chrono::nanoseconds ProcessCpu() const override;
    unsigned Processors() const override;
};

}  // namespace storekeeper
