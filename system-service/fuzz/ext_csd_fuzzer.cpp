// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Input: the EXT_CSD from a tool or a kernel, as 512 bytes or as the text of debugfs.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "health/ext_csd.h"

using storekeeper::ExtCsd;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    android::base::Result<ExtCsd> bytes = ExtCsd::FromBytes(std::span(data, size));
    android::base::Result<ExtCsd> text =
            ExtCsd::FromHex(std::string_view(reinterpret_cast<const char*>(data), size));
    for (const auto& ext_csd : {bytes, text}) {
        if (!ext_csd.ok()) continue;
        if (storekeeper::ExtCsdToJson(*ext_csd).empty()) __builtin_trap();
        if (storekeeper::ExtCsdToText(*ext_csd).empty()) __builtin_trap();
        // An accepted register is accepted as bytes again.
        if (!ExtCsd::FromBytes(ext_csd->bytes()).ok()) __builtin_trap();
    }
    return 0;
}
