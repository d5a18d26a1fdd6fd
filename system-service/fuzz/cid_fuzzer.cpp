// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// The text of sysfs `cid`.

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "health/chip_id.h"
#include "health/cid.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    android::base::Result<storekeeper::Cid> cid = storekeeper::ParseCid(text);
    // Who is no CID is no chip; the serial number is never shown.
    if (cid.ok() == storekeeper::ChipId(text).empty()) __builtin_trap();
    if (!cid.ok()) return 0;
    if (cid->masked.substr(20, 8) != "********" || cid->masked.size() != 32) __builtin_trap();
    if (cid->month < 0 || cid->month > 12) __builtin_trap();
    for (char c : cid->name) {
        if (std::isprint(static_cast<unsigned char>(c)) == 0) __builtin_trap();
    }
    return 0;
}
