// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <cstdint>
#include <string_view>

#include "latency/f2fs_iostat.h"

using namespace storekeeper;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    (void)ParseF2fsIostat(std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
}
