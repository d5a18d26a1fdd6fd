// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "crypto/cipher_calls.h"

namespace storekeeper {

// AES as FIPS 197 describes it, one byte at a time.
class FakeAes {
  public:
    // `key` has 16, 24 or 32 bytes.
    explicit FakeAes(const std::vector<uint8_t>& key);

    void Encrypt(uint8_t* block) const;
    void Decrypt(uint8_t* block) const;

  private:
    void AddRoundKey(size_t round, uint8_t* block) const;

    size_t rounds_;
    std::vector<uint8_t> schedule_;
};

// Encrypt or decrypt whole blocks in place.
void FakeCbc(const std::vector<uint8_t>& key, bool encrypt, CipherIv iv, uint8_t* data,
             size_t size);
void FakeXts(const std::vector<uint8_t>& key, bool encrypt, CipherIv iv, uint8_t* data,
             size_t size);

}  // namespace storekeeper
