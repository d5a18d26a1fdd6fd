// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "crypto/cipher_calls.h"

namespace storekeeper {

// Whether a driver encrypts and decrypts what NIST SP 800-38A (CBC) and IEEE 1619-2007 (XTS) have
// as examples. The kernel's own tests are left out on most phones. An error names the example; one
// of the kernel's keeps its errno.
android::base::Result<void> CheckKnownAnswers(CipherCalls& calls, const std::string& name,
                                              const std::string& driver);

// Whether either of two drivers reads what the other has written, in one request of `unit_bytes`,
// with a key of its own that nobody sees.
android::base::Result<void> CheckAcross(CipherCalls& calls, const std::string& a,
                                        const std::string& b, size_t key_bytes, size_t unit_bytes);

}  // namespace storekeeper
