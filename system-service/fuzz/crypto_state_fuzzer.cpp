// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/atomic_file.h"
#include "crypto/choice_store.h"
#include "crypto/volume_state.h"

using namespace storekeeper;

// Input: the file of a choice, whole and with a matching checksum; and vold's report.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto report = ParseVoldReport(text); report.has_value()) {
        const VolumeState state = JudgeVolume({.inline_hardware = true,
                                               .queue_keys = QueueKeys{.raw = true},
                                               .vold = report},
                                              {});
        if (report->wrapped_key != (state.keys == KeyKind::kWrapped)) __builtin_trap();
    }
    (void)ParseChoice(text);
    auto choice = ParseChoice(WithChecksum(text));
    if (!choice.ok()) return 0;
    // A choice on trial has a baseline, and an accepted choice can be written and read again.
    if (choice->stage != CryptoChoice::Stage::kNone && !choice->baseline.has_value()) {
        __builtin_trap();
    }
    if (!ParseChoice(FormatChoice(*choice)).ok()) __builtin_trap();
    return 0;
}
