// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// The alerts as a restart finds them: what can be read is written the same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "health/alerts.h"

using namespace storekeeper;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    android::base::Result<AlertState> state =
            ParseAlertState(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!state.ok()) return 0;
    const std::string text = FormatAlertState(*state);
    android::base::Result<AlertState> again = ParseAlertState(text);
    if (!again.ok() || FormatAlertState(*again) != text) __builtin_trap();
    return 0;
}
