// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/stringprintf.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace storekeeper {

// 64-bit FNV-1a as 16 hexadecimal digits: tells accidents and different things apart, keeps nobody
// out.
inline std::string Fnv1aHex(std::string_view text) {
    uint64_t hash = 0xcbf29ce484222325;
    for (unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
    return android::base::StringPrintf("%016llx", static_cast<unsigned long long>(hash));
}

}  // namespace storekeeper
