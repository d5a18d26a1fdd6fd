// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crypto/proc_crypto.h"

namespace storekeeper {

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
    const CryptoDriver* Find(std::string_view name, std::string_view driver) const;
    bool AnyHardware() const;
    // Ciphers that only callers of Qualcomm's own find: "qcom-xts(aes)".
    std::vector<const CryptoDriver*> QcomPrefixed() const;
};

CryptoInventory MakeInventory(const CryptoTable& table);

// "qcom-cbc(aes)" and the like: with `qcom,use-sw-aes-*` in the device tree.
bool HasQcomPrefix(std::string_view name);

}  // namespace storekeeper
