// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// Input: the `health` file of older vendors' kernels, and the attributes of mainline's.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "health/sysfs_items.h"
#include "health/ufs_fields.h"
#include "health/verdict.h"

namespace storekeeper {
namespace {

void HealthFile(std::string_view text) {
    const android::base::Result<WearReading> wear = ParseUfsHealthText(text);
    if (!wear.ok()) return;
    const Verdict verdict = JudgeWear(*wear);
    if (verdict.line.empty()) __builtin_trap();
    if (verdict.used_to_pct.has_value() && *verdict.used_to_pct > 100) __builtin_trap();
}

void Numbers(uint64_t number) {
    for (auto text : {UfsVersionText, UfsPercentText, WbAvailableText, WbLifeText, WbTypeText,
                      BkopsText, ProvisioningText, BlockSizeText}) {
        if (text(number).empty()) __builtin_trap();
    }
    UfsDateText(number);
    if (CriticalHealthText(number, number).empty()) __builtin_trap();
    const std::optional<uint64_t> unit = AllocationUnitBytes(number & 0x1ff, number);
    if (unit.has_value() && *unit % 512 != 0) __builtin_trap();
    // No text is given for more than 64 bits of bytes.
    uint64_t sum = 0;
    const bool fits = unit.has_value() && !__builtin_mul_overflow(number, *unit, &sum);
    if (UnitsText(number, unit).empty() == fits) __builtin_trap();
    const std::optional<uint64_t> bytes = HidBytes(number);
    if (bytes.has_value() && *bytes / kHidUnitBytes != number) __builtin_trap();
}

void Attributes(const std::string& text) {
    std::optional<uint64_t> decimal;
    constexpr uint64_t kMax = std::numeric_limits<int32_t>::max();
    for (const ItemParser& parse :
         {AsDecimal(kMax, nullptr, &decimal), AsFlag("off", "on"), ItemParser(AsTemperature),
          ItemParser(AsResizeHint), ItemParser(AsFragmentedSize), ItemParser(AsDefragSize)}) {
        HealthItem item{.value = text};
        // A refused text has no explanation; an accepted one is one line.
        const bool taken = parse(text, &item).ok();
        if (!taken && !item.explanation.empty()) __builtin_trap();
        if (taken && (text.empty() || text.find('\n') != std::string::npos)) __builtin_trap();
    }
    if (decimal.value_or(0) > kMax) __builtin_trap();
    const android::base::Result<HidState> state = ParseHidState(text);
    if (state.ok() && HidStateText(*state).empty()) __builtin_trap();
    const android::base::Result<uint64_t> number = ParseHexNumber(text);
    if (number.ok()) Numbers(*number);
}

}  // namespace
}  // namespace storekeeper

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    storekeeper::HealthFile(text);
    // FileReader removes the newline.
    storekeeper::Attributes(std::string(text.substr(0, text.find('\n'))));
    return 0;
}
