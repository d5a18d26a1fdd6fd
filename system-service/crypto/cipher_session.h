// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <android-base/unique_fd.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "crypto/cipher_calls.h"

namespace storekeeper {

// Bytes that are overwritten when they are no longer needed.
class SecretBytes {
  public:
    // Random; an error when the kernel has no randomness.
    static android::base::Result<SecretBytes> Random(CipherCalls& calls, size_t size);

    explicit SecretBytes(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}
    SecretBytes(SecretBytes&&) = default;
    SecretBytes& operator=(SecretBytes&&) = delete;
    SecretBytes(const SecretBytes&) = delete;
    SecretBytes& operator=(const SecretBytes&) = delete;
    ~SecretBytes() { Wipe(); }

    const uint8_t* data() const { return bytes_.data(); }
    size_t size() const { return bytes_.size(); }
    void Wipe();

  private:
    std::vector<uint8_t> bytes_;
};

// A driver of the kernel's with a key set.
class CipherSession {
  public:
    enum class Iv { kNone, kBlock };

    static android::base::Result<CipherSession> Open(CipherCalls& calls, const std::string& driver,
                                                     const SecretBytes& key, Iv iv = Iv::kBlock);

    // In place, as one request of at most 64 KiB.
    android::base::Result<void> Crypt(bool encrypt, const CipherIv& iv, uint8_t* data, size_t size);

  private:
    CipherSession(CipherCalls& calls, android::base::unique_fd bound,
                  android::base::unique_fd operation, Iv iv)
          : calls_(&calls),
            bound_(std::move(bound)),
            operation_(std::move(operation)),
            with_iv_(iv == Iv::kBlock) {}

    CipherCalls* calls_;
    android::base::unique_fd bound_;
    android::base::unique_fd operation_;
    bool with_iv_;
};

}  // namespace storekeeper
