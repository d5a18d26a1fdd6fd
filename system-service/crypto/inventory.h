// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace storekeeper {

inline constexpr char kProcCryptoPath[] = "/proc/crypto";

// An entry of /proc/crypto (c_show() in the kernel's crypto/proc.c), as kernels from 3.4 to 6.18
// print it. What a kernel does not print is empty.
struct CryptoAlgorithm {
    std::string name;    // what is asked for: "cbc(aes)"
    std::string driver;  // which implementation that is: "cbc-aes-ce"
    int priority = 0;
    // 1 when nobody uses it. Instances of templates count as users of what they are made of.
    uint32_t refcount = 0;
    // "passed" means nothing where the tests are left out (CRYPTO_MANAGER_DISABLE_TESTS).
    std::string selftest;
    // "skcipher"; before 4.8 "ablkcipher", "blkcipher", "givcipher"; since 6.7 also "lskcipher".
    std::string type;
    bool async = false;
    bool internal = false;  // not found by its name

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

enum class CryptoEngine {
    kCpu,
    kQcrypto,  // Qualcomm's own driver, kernels 3.4 to 4.9 and later vendor ones
    kQce,      // the driver of mainline Linux for the same engine
    kUnknown,
};

// "cpu", "qcrypto", "qce", "unknown".
std::string_view EngineName(CryptoEngine engine);

bool IsHardware(CryptoEngine engine);

// By the driver's name alone: both of Qualcomm's modules are called qcrypto. What is made from
// another driver, "essiv(cbc-aes-qce,sha256-generic)", is where that one is.
CryptoEngine EngineOf(std::string_view driver);

// Whether the driver looks its S-boxes up in tables, so that its time depends on the key.
bool UsesTables(std::string_view driver);

// One driver of one cipher; entries of the same name and driver are one, with their highest
// reference count (old kernels have copies of type givcipher).
struct CryptoDriver {
    std::string name;
    std::string driver;
    CryptoEngine engine = CryptoEngine::kUnknown;
    int priority = 0;
    uint32_t refcount = 0;
    std::string selftest;
    std::string type;
    bool async = false;
    bool uses_tables = false;

    bool in_use() const { return refcount > 1; }
};

struct CryptoInventory {
    // The disk ciphers made with AES; in the order in which they were registered, the last first.
    std::vector<CryptoDriver> drivers;
    std::vector<std::string> problems;

    // Who serves this name now: the highest priority, of equal ones the last registered (3.4
    // crypto/api.c, __crypto_alg_lookup). "qcom-cbc(aes)" is another name than "cbc(aes)".
    const CryptoDriver* Serving(std::string_view name) const;
    // The best of an engine for this name; of hardware, of either driver.
    const CryptoDriver* BestCpu(std::string_view name) const;
    const CryptoDriver* BestHardware(std::string_view name) const;
    bool AnyHardware() const;
    // Ciphers that only callers of Qualcomm's own find: "qcom-xts(aes)".
    std::vector<const CryptoDriver*> QcomPrefixed() const;
};

CryptoInventory MakeInventory(const CryptoTable& table);

// "qcom-cbc(aes)" and the like: with `qcom,use-sw-aes-*` in the device tree.
bool HasQcomPrefix(std::string_view name);

}  // namespace storekeeper
