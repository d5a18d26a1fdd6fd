// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Input: the text of sysfs `cid`.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "mounts/chip_id.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    android::base::Result<std::string> masked = storekeeper::MaskedCid(text);
    // A text that is no CID is no chip. The serial number is never shown.
    if (masked.ok() == storekeeper::ChipId(text).empty()) __builtin_trap();
    if (!masked.ok()) return 0;
    if (masked->substr(20, 8) != "********" || masked->size() != 32) __builtin_trap();
    return 0;
}
