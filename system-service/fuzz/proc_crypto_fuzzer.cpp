// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "crypto/inventory.h"

using namespace storekeeper;

// Input: /proc/crypto, with the driver that serves each name in it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const CryptoTable table =
            ParseProcCrypto(std::string_view(reinterpret_cast<const char*>(data), size));
    const CryptoInventory inventory = MakeInventory(table);
    if (inventory.drivers.size() > table.algorithms.size()) __builtin_trap();
    for (const CryptoDriver& driver : inventory.drivers) {
        const CryptoDriver* serving = inventory.Serving(driver.name);
        if (driver.type != "givcipher" &&
            (serving == nullptr || serving->priority < driver.priority)) {
            __builtin_trap();
        }
    }
    return 0;
}
