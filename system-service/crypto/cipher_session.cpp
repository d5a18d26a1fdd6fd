// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "crypto/cipher_session.h"

#include "base/try.h"

namespace storekeeper {

using android::base::Result;
using android::base::unique_fd;

Result<SecretBytes> SecretBytes::Random(CipherCalls& calls, size_t size) {
    SecretBytes bytes{std::vector<uint8_t>(size)};
    TRY(calls.Random(bytes.bytes_.data(), size));
    return bytes;
}

void SecretBytes::Wipe() {
    // volatile: the compiler must not leave out what nobody reads.
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
