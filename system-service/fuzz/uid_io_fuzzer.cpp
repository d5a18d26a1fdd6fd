// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "latency/uid_io.h"

using namespace storekeeper;

// Input: two tables, separated by the first zero byte, and the difference between them.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string_view first = text.substr(0, text.find('\0'));
    auto before = ParseUidIo(first);
    auto after = ParseUidIo(text.substr(std::min(first.size() + 1, text.size())));
    if (!before.ok() || !after.ok()) return 0;
    if (UidDelta(*before, *after).size() > after->size()) __builtin_trap();
    if (!UidDelta(*after, *after).empty()) __builtin_trap();
    return 0;
}
