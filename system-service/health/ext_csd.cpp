// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ext_csd.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "base/json_text.h"
#include "base/quantity_text.h"
#include "base/tokens.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;
using android::base::StringPrintf;

// EXT_CSD_REV 9 is eMMC 5.1B. The margin admits registers of later standards, because fields never
// move.
constexpr uint8_t kLastPlausibleRev = 15;
// CSD_STRUCTURE: versions 1.0, 1.1, 1.2 and "see EXT_CSD".
constexpr uint8_t kLastCsdStructure = 3;
constexpr uint16_t kCsdStructure = 194;
constexpr uint16_t kDeviceType = 196;
constexpr uint16_t kCommandSets = 504;  // S_CMD_SET
// SEC_COUNT came with revision 2. Up to eMMC 4.41, revision 5, it may be 0 on a card of 2 GB or
// less. Such a card is addressed by bytes, and its CSD holds the capacity.
constexpr uint8_t kFirstRevWithSectorsAlone = 6;

bool IsZero(std::span<const uint8_t> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; });
}

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
    if (rev >= kFirstRevWithSectorsAlone && IsZero(bytes.subspan(kSecCount, 4))) {
        return Error() << "SEC_COUNT is 0: the card would have no capacity";
    }
    return {};
}

// Number of nonzero fields among those that every register sets. The mirrored positions are
// reserved and 0.
int SetFields(std::span<const uint8_t> bytes) {
    int set = 0;
    for (const uint16_t offset : {kExtCsdRev, kDeviceType, kCommandSets}) {
        if (bytes[offset] != 0) ++set;
    }
    return set;
}

bool IsSeparator(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0 || c == ',';
}

// Bytes between the digits: separators, a byte order mark and the zeros of UTF-16, in which
// PowerShell's `>` writes.
bool IsFiller(char c) {
    constexpr std::string_view kMarksAndZero("\xef\xbb\xbf\xff\xfe\0", 6);
    return IsSeparator(c) || kMarksAndZero.find(c) != std::string_view::npos;
}

Result<std::vector<uint8_t>> ParseHex(std::string_view text) {
    std::vector<uint8_t> digits;
    std::optional<size_t> prefixed;  // position of the first digit after the last "0x"
    for (char c : std::string(text) + "\n") {
        // A byte of one digit, "0x8".
        if (IsSeparator(c) && prefixed.has_value() && digits.size() == *prefixed + 1) {
            digits.insert(digits.end() - 1, 0);
        }
        if (IsFiller(c)) continue;
        // The prefix of a byte, "0x".
        if ((c == 'x' || c == 'X') && digits.size() % 2 == 1 && digits.back() == 0) {
            digits.pop_back();
            prefixed = digits.size();
            continue;
        }
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

std::string KibText(uint64_t kib) {
    return SizeText(kib << 10);
}

struct Explainer {
    std::string_view field;
    std::string (*explain)(uint64_t value);
};

// Fields whose raw number needs an explanation; the meanings of other fields name their unit.
constexpr Explainer kExplainers[] = {
        {"EXT_CSD_REV",
         [](uint64_t v) { return "eMMC " + std::string(StandardOf(static_cast<uint8_t>(v))); }},
        {"SEC_COUNT", [](uint64_t v) { return SizeText(v * 512); }},
        {"CACHE_SIZE", [](uint64_t v) { return KibText(v / 8); }},
        {"HC_ERASE_GRP_SIZE", [](uint64_t v) { return KibText(v * 512); }},
        {"BOOT_SIZE_MULT", [](uint64_t v) { return KibText(v * 128); }},
        {"RPMB_SIZE_MULT", [](uint64_t v) { return KibText(v * 128); }},
        {"PRE_EOL_INFO", [](uint64_t v) { return PreEolText(static_cast<uint8_t>(v)); }},
        {"DEVICE_LIFE_TIME_EST_TYP_A",
         [](uint64_t v) { return LifeTimeText(static_cast<uint8_t>(v)); }},
        {"DEVICE_LIFE_TIME_EST_TYP_B",
         [](uint64_t v) { return LifeTimeText(static_cast<uint8_t>(v)); }},
        {"CMDQ_DEPTH", [](uint64_t v) { return std::to_string((v & 0x1f) + 1) + " commands"; }},
};

// The bytes of a firmware version as quoted text; "" if they are not printable.
std::string AsAscii(std::span<const uint8_t> bytes) {
    auto end = std::find(bytes.begin(), bytes.end(), 0);
    bool printable = end != bytes.begin() && std::all_of(bytes.begin(), end, [](uint8_t b) {
                         return std::isprint(b) != 0;
                     });
    return printable ? "\"" + std::string(bytes.begin(), end) + "\"" : "";
}

std::string ExplanationOf(const ExtCsdField& field, const ExtCsd& ext_csd) {
    if (!ext_csd.Defines(field)) return "";
    if (field.kind == ExtCsdField::Kind::kBytes) return AsAscii(ext_csd.BytesOf(field));
    for (const Explainer& explainer : kExplainers) {
        if (explainer.field == field.name) return explainer.explain(ext_csd.NumberOf(field));
    }
    return "";
}

bool IsHiddenInText(const ExtCsdField& field, const ExtCsd& ext_csd) {
    return IsZero(ext_csd.BytesOf(field)) &&
           (field.kind == ExtCsdField::Kind::kReserved || !ext_csd.Defines(field));
}

std::string BytesText(std::span<const uint8_t> bytes) {
    return HexString(bytes.data(), bytes.size());
}

Json::Value FieldToJson(const ExtCsdField& field, const ExtCsd& ext_csd) {
    Json::Value json;
    json["name"] = std::string(field.name);
    json["offset"] = field.offset;
    json["width"] = field.width;
    json["defined"] = ext_csd.Defines(field);
    json["meaning"] = std::string(field.meaning);
    if (field.kind == ExtCsdField::Kind::kNumber) {
        json["value"] = Json::UInt64{ext_csd.NumberOf(field)};
    } else {
        json["bytes"] = BytesText(ext_csd.BytesOf(field));
    }
    json["hidden_in_text"] = IsHiddenInText(field, ext_csd);
    const std::string explanation = ExplanationOf(field, ext_csd);
    if (!explanation.empty()) json["explanation"] = explanation;
    return json;
}

std::string FieldToText(const ExtCsdField& field, const ExtCsd& ext_csd) {
    std::string range = std::to_string(field.offset);
    if (field.width != 1) range = std::to_string(field.offset + field.width - 1) + ":" + range;
    const std::string value =
            field.kind == ExtCsdField::Kind::kNumber
                    ? StringPrintf("0x%0*llx", 2 * field.width,
                                   static_cast<unsigned long long>(ext_csd.NumberOf(field)))
                    : BytesText(ext_csd.BytesOf(field));
    std::string line =
            StringPrintf("%-9s %-36.*s %s", ("[" + range + "]").c_str(),
                         static_cast<int>(field.name.size()), field.name.data(), value.c_str());
    const std::string explanation = ExplanationOf(field, ext_csd);
    if (!explanation.empty()) line += "  " + explanation;
    if (!ext_csd.Defines(field)) line += "  (not defined at this revision)";
    return line + "  # " + std::string(field.meaning) + "\n";
}

std::optional<uint8_t> DefinedByte(const ExtCsd& ext_csd, std::string_view name) {
    const ExtCsdField* field = FindExtCsdField(name);
    if (!ext_csd.Defines(*field)) return std::nullopt;
    return static_cast<uint8_t>(ext_csd.NumberOf(*field));
}

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
    const bool reversed = SetFields(backward) > SetFields(forward) && CheckPlausible(backward).ok();
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
    // JESD84-B51 and JESD84-B51B, EXT_CSD_REV [192]; value 4 is marked obsolete.
    constexpr std::array<std::string_view, 10> kStandards = {"4.0",  "4.1", "4.2", "4.3", "4.4",
                                                             "4.41", "4.5", "5.0", "5.1", "5.1B"};
    return ext_csd_rev < kStandards.size() ? kStandards[ext_csd_rev] : "of an unknown standard";
}

std::optional<bool> VolatileCacheOn(const std::optional<ExtCsd>& ext_csd) {
    if (!ext_csd.has_value()) return std::nullopt;
    const ExtCsdField* control = FindExtCsdField("CACHE_CTRL");
    const ExtCsdField* size = FindExtCsdField("CACHE_SIZE");
    return ext_csd->Defines(*control) && ext_csd->NumberOf(*size) != 0 &&
           (ext_csd->NumberOf(*control) & kCacheOn) != 0;
}

WearReading WearOf(const ExtCsd& ext_csd) {
    return {.ext_csd_rev = ext_csd.revision(),
            .life_time_a = DefinedByte(ext_csd, "DEVICE_LIFE_TIME_EST_TYP_A"),
            .life_time_b = DefinedByte(ext_csd, "DEVICE_LIFE_TIME_EST_TYP_B"),
            .pre_eol_info = DefinedByte(ext_csd, "PRE_EOL_INFO")};
}

Json::Value ExtCsdToJson(const ExtCsd& ext_csd) {
    Json::Value json;
    json["schema"] = "storekeeper.ext_csd";
    json["version"] = 1;
    json["revision"] = ext_csd.revision();
    json["standard"] = std::string(StandardOf(ext_csd.revision()));
    json["verdict"] = VerdictToJson(JudgeWear(WearOf(ext_csd)));
    json["fields"] = ArrayOf(ExtCsdFields(),
                             [&](const ExtCsdField& field) { return FieldToJson(field, ext_csd); });
    return json;
}

std::string ExtCsdToText(const ExtCsd& ext_csd) {
    std::string text = JudgeWear(WearOf(ext_csd)).line + "\n" + "EXT_CSD revision " +
                       std::to_string(ext_csd.revision()) + ", eMMC " +
                       std::string(StandardOf(ext_csd.revision())) + "\n";
    for (const ExtCsdField& field : ExtCsdFields()) {
        if (!IsHiddenInText(field, ext_csd)) text += FieldToText(field, ext_csd);
    }
    return text;
}

}  // namespace storekeeper
