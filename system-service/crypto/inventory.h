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
// print it. A field that a kernel does not print is empty.
struct CryptoAlgorithm {
    std::string name;    // name that users request: "cbc(aes)"
    std::string driver;  // name of the implementation: "cbc-aes-ce"
    int priority = 0;
    // 1 if it is not in use. An instance of a template counts as a user of its parts.
    uint32_t refcount = 0;
    // "passed" means nothing if the kernel was built without the tests
    // (CRYPTO_MANAGER_DISABLE_TESTS).
    std::string selftest;
    // "skcipher"; before 4.8 "ablkcipher", "blkcipher", "givcipher"; since 6.7 also "lskcipher".
    std::string type;
    bool async = false;
    bool internal = false;  // not found by its name

    // True for the types that a disk's cipher can have.
    bool IsDiskCipher() const;
};

struct CryptoTable {
    std::vector<CryptoAlgorithm> algorithms;  // last registered first, the kernel's order
    std::vector<std::string> problems;        // entries that could not be read
};

// Entries that cannot be read are left out; `problems` reports at most 8 of them.
CryptoTable ParseProcCrypto(std::string_view text);

enum class CryptoEngine {
    kCpu,
    kQcrypto,  // Qualcomm's own driver, kernels 3.4 to 4.9 and later vendor ones
    kQce,      // the driver of mainline Linux for the same engine
    kUnknown,
};

// The engine's name: "cpu", "qcrypto", "qce", "unknown".
std::string_view EngineName(CryptoEngine engine);

bool IsHardware(CryptoEngine engine);

// Finds the engine by the driver's name alone, because both of Qualcomm's modules are called
// qcrypto. An instance of a template, "essiv(cbc-aes-qce,sha256-generic)", belongs to the engine of
// its inner driver.
CryptoEngine EngineOf(std::string_view driver);

// True if the driver looks its S-boxes up in tables, so that its time depends on the key.
bool UsesTables(std::string_view driver);

// One driver of one cipher. Entries of the same name and driver are merged, with their highest
// reference count: old kernels list copies of type givcipher.
struct CryptoDriver : CryptoAlgorithm {
    CryptoEngine engine = CryptoEngine::kUnknown;
    bool uses_tables = false;

    bool in_use() const { return refcount > 1; }
};

struct CryptoInventory {
    // The disk ciphers made with AES, last registered first.
    std::vector<CryptoDriver> drivers;
    std::vector<std::string> problems;

    // The driver that serves this name now: the one with the highest priority, and of equal ones
    // the last registered (3.4 crypto/api.c, __crypto_alg_lookup). "qcom-cbc(aes)" is another name
    // than "cbc(aes)".
    const CryptoDriver* Serving(std::string_view name) const;
    // The best driver of an engine for this name. BestHardware() considers both of Qualcomm's
    // drivers.
    const CryptoDriver* BestCpu(std::string_view name) const;
    const CryptoDriver* BestHardware(std::string_view name) const;
    bool AnyHardware() const;
    // Ciphers that only Qualcomm's own callers find: "qcom-xts(aes)".
    std::vector<const CryptoDriver*> QcomPrefixed() const;
};

CryptoInventory MakeInventory(const CryptoTable& table);

// True for "qcom-cbc(aes)" and the like, which a kernel with `qcom,use-sw-aes-*` in the device tree
// has.
bool HasQcomPrefix(std::string_view name);

}  // namespace storekeeper
