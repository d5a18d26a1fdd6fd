// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>

#include "crypto/cipher_calls.h"

namespace storekeeper {

// Checks that a driver encrypts and decrypts the examples of NIST SP 800-38A (CBC) and IEEE
// 1619-2007 (XTS). Most phones' kernels are built without their own tests. An error names the
// example; an error of the kernel keeps its errno.
android::base::Result<void> CheckKnownAnswers(CipherCalls& calls, const std::string& name,
                                              const std::string& driver);

// Checks that each of two drivers reads data that the other wrote, in one request of `unit_bytes`,
// with a random key that is never shown.
android::base::Result<void> CheckAcross(CipherCalls& calls, const std::string& a,
                                        const std::string& b, size_t key_bytes, size_t unit_bytes);

}  // namespace storekeeper
