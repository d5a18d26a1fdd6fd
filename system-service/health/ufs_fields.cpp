// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ufs_fields.h"

#include <android-base/parseint.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>

#include <iterator>
#include <limits>
#include <map>
#include <vector>

#include "base/quantity_text.h"
#include "base/tokens.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringPrintf;

constexpr char kReserved[] = "reserved value";
// The kernel's name of a reserved value.
constexpr char kUnknown[] = "unknown";

template <size_t N>
std::string TextOf(const char* const (&texts)[N], uint64_t value) {
    return value < N ? texts[value] : kReserved;
}

constexpr uint64_t kSegmentUnitBytes = 512;

// JESD220G codes wManufactureDate in decimal digits (BCD).
bool IsMonth(uint64_t month) {
    return (month >= 0x01 && month <= 0x09) || (month >= 0x10 && month <= 0x12);
}

struct NamedState {
    const char* name;  // the kernel's spelling
    const char* text;
};

// Names of the states, indexed by HidState.
constexpr NamedState kHidStates[] = {
        {"idle", "not analysed, or written to since"},
        {"analysis_in_progress", "analysis in progress"},
        {"defrag_required", "defragmentation would help"},
        {"defrag_in_progress", "defragmentation in progress"},
        {"defrag_completed", "defragmentation completed"},
        {"defrag_not_required", "defragmentation is not required"},
        {kUnknown, kReserved},
};

}  // namespace

std::string UfsVersionText(uint64_t version) {
    return StringPrintf("UFS %llx.%llx", static_cast<unsigned long long>(version >> 8),
                        static_cast<unsigned long long>(version >> 4 & 0xf));
}

std::string UfsDateText(uint64_t date) {
    if (date == 0) return "not set";
    const uint64_t month = date >> 8;
    if (!IsMonth(month)) return "";
    return StringPrintf("%02llx/20%02llx", static_cast<unsigned long long>(month),
                        static_cast<unsigned long long>(date & 0xff));
}

std::string UfsPercentText(uint64_t percent) {
    if (percent > 100) return kReserved;
    return std::to_string(percent) + " % used by the vendor's count";
}

std::string CriticalHealthText(uint64_t count, std::optional<uint64_t> version) {
    if (count != 0) return "the chip has reported critical health since boot";
    if (version.value_or(0) < kUfsVersionWithCriticalHealth) return "reported from UFS 4.1 on";
    return "no critical health since boot";
}

std::string WbAvailableText(uint64_t tenths) {
    if (tenths > 10) return kReserved;
    return std::to_string(tenths * 10) + " % of the buffer is free";
}

std::string WbLifeText(uint64_t life) {
    if (life > std::numeric_limits<uint8_t>::max()) return kReserved;
    return LifeTimeText(static_cast<uint8_t>(life));
}

std::string WbTypeText(uint64_t type) {
    static constexpr const char* kTexts[] = {"a buffer for one logical unit", "one shared buffer"};
    return TextOf(kTexts, type);
}

std::string UnitsText(uint64_t units, std::optional<uint64_t> unit_bytes) {
    uint64_t bytes = 0;
    const bool beyond = __builtin_mul_overflow(units, unit_bytes.value_or(0), &bytes);
    return unit_bytes.has_value() && !beyond ? SizeText(bytes) : "";
}

std::optional<uint64_t> AllocationUnitBytes(uint64_t segments, uint64_t segment_size) {
    // bAllocationUnitSize is a byte, dSegmentSize has 32 bits.
    if (segments == 0 || segments > std::numeric_limits<uint8_t>::max() || segment_size == 0 ||
        segment_size > std::numeric_limits<uint32_t>::max()) {
        return std::nullopt;
    }
    return segments * segment_size * kSegmentUnitBytes;
}

std::string BkopsText(uint64_t status) {
    static constexpr const char* kTexts[] = {"no operation required", "operations are outstanding",
                                             "outstanding, and performance is impacted",
                                             "critical: operations must run"};
    return TextOf(kTexts, status);
}

std::string ProvisioningText(uint64_t type) {
    switch (type) {
        case 0:
            return "thin provisioning is off: no discards";
        case 2:
            return "thin: UNMAP discards";
        case 3:
            return "thin: UNMAP erases, and zeros are read";
        default:
            return kReserved;
    }
}

std::string BlockSizeText(uint64_t exponent) {
    // The minimum is 4096 bytes; the upper bound keeps the shift valid for any byte.
    if (exponent < 12 || exponent > 31) return kReserved;
    return SizeText(uint64_t{1} << exponent);
}

Result<void> AsTemperature(const std::string& text, HealthItem* item) {
    constexpr int kMin = -79000;
    constexpr int kMax = 170000;
    constexpr int kDegree = 1000;
    int thousandths = 0;
    if (!android::base::ParseInt(text, &thousandths, kMin, kMax)) {
        return Error() << "'" << text << "' is not a temperature from " << kMin << " to " << kMax
                       << " thousandths of a degree Celsius";
    }
    item->explanation = std::to_string(thousandths / kDegree) + " C";
    return {};
}

Result<void> AsResizeHint(const std::string& text, HealthItem* item) {
    for (const char* word : {"keep", "decrease", "increase", kUnknown}) {
        if (text != word) continue;
        if (text == kUnknown) item->explanation = kReserved;
        return {};
    }
    return Error() << "'" << text << "' is none of the kernel's words";
}

Result<HidState> ParseHidState(std::string_view text) {
    for (size_t i = 0; i < std::size(kHidStates); ++i) {
        if (text == kHidStates[i].name) return static_cast<HidState>(i);
    }
    return Error() << "'" << text << "' is not a state of host-initiated defragmentation";
}

std::string HidStateName(HidState state) {
    return kHidStates[static_cast<size_t>(state)].name;
}

std::string HidStateText(HidState state) {
    static_assert(std::size(kHidStates) == static_cast<size_t>(HidState::kUnknown) + 1);
    return kHidStates[static_cast<size_t>(state)].text;
}

std::optional<uint64_t> HidBytes(uint64_t units) {
    if (units >= kHidNoSize) return std::nullopt;
    return units * kHidUnitBytes;
}

Result<void> AsFragmentedSize(const std::string& text, HealthItem* item) {
    std::optional<uint64_t> units;
    TRY(AsDecimal(kHidNoSize, nullptr, &units)(text, item));
    if (HidBytes(*units).has_value()) {
        item->explanation = UnitsText(*units, kHidUnitBytes);
    } else {
        item->value.reset();
    }
    return {};
}

Result<void> AsDefragSize(const std::string& text, HealthItem* item) {
    return AsDecimal(kHidNoSize, [](uint64_t units) {
        return HidBytes(units).has_value() ? UnitsText(units, kHidUnitBytes)
                                           : "as much as possible";
    })(text, item);
}

Result<WearReading> ParseUfsHealthText(std::string_view text) {
    WearReading wear;
    const std::map<std::string, std::optional<uint8_t>*> fields =
            {{"bPreEOLInfo", &wear.pre_eol_info},
             {"bDeviceLifeTimeEstA", &wear.life_time_a},
             {"bDeviceLifeTimeEstB", &wear.life_time_b}};
    bool found = false;
    for (const std::string& line : android::base::Split(std::string(text), "\n")) {
        const size_t equals = line.rfind('=');
        if (equals == std::string::npos) continue;
        const std::vector<std::string> words = Tokenize(line.substr(0, equals), " \t:");
        if (words.empty()) continue;
        const auto field = fields.find(words.back());
        if (field == fields.end()) continue;
        Result<uint8_t> value = ParseHexByte(android::base::Trim(line.substr(equals + 1)));
        if (!value.ok()) return Error() << words.back() << ": " << value.error().message();
        if (field->second->value_or(*value) != *value) {
            return Error() << words.back() << " stands there twice, with different values";
        }
        *field->second = *value;
        found = true;
    }
    if (!found) return Error() << "no field of a UFS health descriptor in it";
    return wear;
}

}  // namespace storekeeper
