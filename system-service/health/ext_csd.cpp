// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ext_csd.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "base/tokens.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// EXT_CSD_REV 8 is eMMC 5.1; the margin lets the register of a later standard be read, for fields
// never move.
constexpr uint8_t kLastPlausibleRev = 15;
// CSD_STRUCTURE: versions 1.0, 1.1, 1.2 and "see EXT_CSD".
constexpr uint8_t kLastCsdStructure = 3;
constexpr uint16_t kCsdStructure = 194;
constexpr uint8_t kFirstRevWithSecCount = 2;

Result<void> CheckPlausible(std::span<const uint8_t> bytes) {
    uint8_t rev = bytes[kExtCsdRev];
    if (std::all_of(bytes.begin(), bytes.end(), [&](uint8_t b) { return b == bytes[0]; })) {
        return Error() << "every byte of the EXT_CSD is "
                       << "0x" << HexString(bytes.data(), 1);
    }
    if (rev > kLastPlausibleRev) {
        return Error() << "EXT_CSD_REV is " << static_cast<int>(rev) << ", which no standard has";
    }
    if (bytes[kCsdStructure] > kLastCsdStructure) {
        return Error() << "CSD_STRUCTURE is " << static_cast<int>(bytes[kCsdStructure])
                       << ", which no standard has";
    }
    auto sec_count = bytes.subspan(kSecCount, 4);
    if (rev >= kFirstRevWithSecCount &&
        std::all_of(sec_count.begin(), sec_count.end(), [](uint8_t b) { return b == 0; })) {
        return Error() << "SEC_COUNT is 0: the card would have no capacity";
    }
    return {};
}

// How many bytes of reserved space are not zero: more in a register read backwards.
size_t UsedReservedBytes(std::span<const uint8_t> bytes) {
    size_t used = 0;
    for (const ExtCsdField& field : ExtCsdFields()) {
        if (field.kind != ExtCsdField::Kind::kReserved || field.since_rev != 0) continue;
        auto space = bytes.subspan(field.offset, field.width);
        used += std::count_if(space.begin(), space.end(), [](uint8_t b) { return b != 0; });
    }
    return used;
}

Result<std::vector<uint8_t>> ParseHex(std::string_view text) {
    std::vector<uint8_t> digits;
    for (char c : text) {
        if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
        std::optional<uint8_t> digit = HexDigit(c);
        if (!digit.has_value()) {
            return Error() << "an EXT_CSD is " << kExtCsdSize << " bytes or " << 2 * kExtCsdSize
                           << " hexadecimal digits; this has " << text.size()
                           << " bytes, not all of them hexadecimal";
        }
        digits.push_back(*digit);
        if (digits.size() > 2 * kExtCsdSize) break;
    }
    if (digits.size() != 2 * kExtCsdSize) {
        return Error() << "the EXT_CSD text has "
                       << (digits.size() > 2 * kExtCsdSize ? "more than " : "")
                       << std::min(digits.size(), 2 * kExtCsdSize)
                       << " hexadecimal digits instead of " << 2 * kExtCsdSize;
    }
    std::vector<uint8_t> bytes(kExtCsdSize);
    for (size_t i = 0; i < kExtCsdSize; ++i) {
        bytes[i] = static_cast<uint8_t>(digits[2 * i] << 4 | digits[2 * i + 1]);
    }
    return bytes;
}

constexpr uint8_t kCacheOn = 1;

}  // namespace

Result<ExtCsd> ExtCsd::FromBytes(std::span<const uint8_t> bytes) {
    if (bytes.size() != kExtCsdSize) {
        return Error() << "an EXT_CSD has " << kExtCsdSize << " bytes, not " << bytes.size();
    }
    TRY(CheckPlausible(bytes));
    std::array<uint8_t, kExtCsdSize> copy = {};
    std::copy(bytes.begin(), bytes.end(), copy.begin());
    return ExtCsd(copy);
}

Result<ExtCsd> ExtCsd::FromHex(std::string_view text) {
    std::vector<uint8_t> forward = TRY(ParseHex(text));
    std::vector<uint8_t> backward(forward.rbegin(), forward.rend());
    bool reversed = CheckPlausible(backward).ok() &&
                    (!CheckPlausible(forward).ok() ||
                     UsedReservedBytes(backward) < UsedReservedBytes(forward));
    return FromBytes(reversed ? backward : forward);
}

std::span<const uint8_t> ExtCsd::BytesOf(const ExtCsdField& field) const {
    return bytes().subspan(field.offset, field.width);
}

uint64_t ExtCsd::NumberOf(const ExtCsdField& field) const {
    uint64_t number = 0;
    std::span<const uint8_t> bytes = BytesOf(field);
    for (size_t i = bytes.size(); i > 0; --i) number = number << 8 | bytes[i - 1];
    return number;
}

std::string_view StandardOf(uint8_t ext_csd_rev) {
    // JESD84-B51, EXT_CSD_REV [192]; 4 is marked obsolete.
    constexpr std::array<std::string_view, 9> kStandards = {"4.0",  "4.1", "4.2", "4.3", "4.4",
                                                            "4.41", "4.5", "5.0", "5.1"};
    return ext_csd_rev < kStandards.size() ? kStandards[ext_csd_rev] : "of an unknown standard";
}

std::optional<bool> VolatileCacheOn(const std::optional<ExtCsd>& ext_csd) {
    if (!ext_csd.has_value()) return std::nullopt;
    const ExtCsdField* control = FindExtCsdField("CACHE_CTRL");
    const ExtCsdField* size = FindExtCsdField("CACHE_SIZE");
    return ext_csd->Defines(*control) && ext_csd->NumberOf(*size) != 0 &&
           (ext_csd->NumberOf(*control) & kCacheOn) != 0;
}

}  // namespace storekeeper
