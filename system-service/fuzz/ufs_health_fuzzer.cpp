// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// The `health` file of older vendors' kernels.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "health/chip_sysfs.h"
#include "health/verdict.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    android::base::Result<storekeeper::WearReading> wear = storekeeper::ParseUfsHealthText(
            std::string_view(reinterpret_cast<const char*>(data), size));
    if (!wear.ok()) return 0;
    storekeeper::Verdict verdict = storekeeper::JudgeWear(*wear);
    if (verdict.line.empty()) __builtin_trap();
    if (verdict.used_to_pct.has_value() && *verdict.used_to_pct > 100) __builtin_trap();
    return 0;
}
