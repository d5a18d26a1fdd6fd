// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace storekeeper {

inline constexpr char kProcCryptoPath[] = "/proc/crypto";

// An entry of /proc/crypto (c_show() in the kernel's crypto/proc.c), as kernels from 3.4 to 6.18
// print it. What a kernel does not print is absent.
struct CryptoAlgorithm {
    std::string name;    // what is asked for: "cbc(aes)"
    std::string driver;  // which implementation that is: "cbc-aes-ce"
    std::string module;  // "kernel" when it is built in
    int priority = 0;
    // 1 when nobody uses it. Instances of templates count as users of what they are made of.
    uint32_t refcount = 0;
    // "passed" means nothing where the tests are left out (CRYPTO_MANAGER_DISABLE_TESTS).
    std::string selftest;
    // "skcipher"; before 4.8 "ablkcipher", "blkcipher", "givcipher"; since 6.7 also "lskcipher".
    std::string type;
    bool async = false;
    bool internal = false;  // not found by its name
    std::optional<uint32_t> min_key_bytes;
    std::optional<uint32_t> max_key_bytes;

    // Of these types a disk's cipher can be.
    bool IsDiskCipher() const;
};

struct CryptoTable {
    std::vector<CryptoAlgorithm> algorithms;  // the one registered last first, as the kernel does
    std::vector<std::string> problems;        // entries that could not be read
};

// Entries that cannot be read are left out and reported in `problems`, of which there are at
// most 8.
CryptoTable ParseProcCrypto(std::string_view text);

}  // namespace storekeeper
