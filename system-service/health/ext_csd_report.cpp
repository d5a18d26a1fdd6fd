// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/ext_csd_report.h"

#include <android-base/stringprintf.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>

#include "base/json_text.h"
#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

std::string Kib(uint64_t kib) {
    return std::to_string(kib) + " KiB";
}

struct Explainer {
    std::string_view field;
    std::string (*explain)(uint64_t value);
};

// Fields whose number alone misleads; the unit of the others stands in their meaning.
constexpr std::array kExplainers = {
        Explainer{"EXT_CSD_REV",
                  [](uint64_t v) {
                      return "eMMC " + std::string(StandardOf(static_cast<uint8_t>(v)));
                  }},
        Explainer{"SEC_COUNT", [](uint64_t v) { return std::to_string(v * 512) + " bytes"; }},
        Explainer{"CACHE_SIZE", [](uint64_t v) { return Kib(v / 8); }},
        Explainer{"HC_ERASE_GRP_SIZE", [](uint64_t v) { return Kib(v * 512); }},
        Explainer{"BOOT_SIZE_MULT", [](uint64_t v) { return Kib(v * 128); }},
        Explainer{"RPMB_SIZE_MULT", [](uint64_t v) { return Kib(v * 128); }},
        Explainer{"PRE_EOL_INFO", [](uint64_t v) { return PreEolText(static_cast<uint8_t>(v)); }},
        Explainer{"DEVICE_LIFE_TIME_EST_TYP_A",
                  [](uint64_t v) { return LifeTimeText(static_cast<uint8_t>(v)); }},
        Explainer{"DEVICE_LIFE_TIME_EST_TYP_B",
                  [](uint64_t v) { return LifeTimeText(static_cast<uint8_t>(v)); }},
        Explainer{"CMDQ_DEPTH",
                  [](uint64_t v) { return std::to_string((v & 0x1f) + 1) + " commands"; }},
};

std::string Explain(const ExtCsdField& field, const ExtCsd& ext_csd) {
    for (const Explainer& explainer : kExplainers) {
        if (explainer.field == field.name) return explainer.explain(ext_csd.NumberOf(field));
    }
    return "";
}

// The characters of a firmware version, when that is what its bytes are.
std::string AsAscii(std::span<const uint8_t> bytes) {
    auto end = std::find(bytes.begin(), bytes.end(), 0);
    bool printable = end != bytes.begin() && std::all_of(bytes.begin(), end, [](uint8_t b) {
                         return std::isprint(b) != 0;
                     });
    return printable ? "\"" + std::string(bytes.begin(), end) + "\"" : "";
}

bool IsZero(std::span<const uint8_t> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](uint8_t b) { return b == 0; });
}

std::string ExplanationOf(const ExtCsdField& field, const ExtCsd& ext_csd) {
    if (!ext_csd.Defines(field)) return "";
    if (field.kind == ExtCsdField::Kind::kNumber) return Explain(field, ext_csd);
    return field.kind == ExtCsdField::Kind::kBytes ? AsAscii(ext_csd.BytesOf(field)) : "";
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

std::optional<uint8_t> DefinedByte(const ExtCsd& ext_csd, uint16_t offset) {
    if (ext_csd.revision() < kFirstRevWithHealth) return std::nullopt;
    return ext_csd.at(offset);
}

}  // namespace

WearReading WearOf(const ExtCsd& ext_csd) {
    return {.ext_csd_rev = ext_csd.revision(),
            .life_time_a = DefinedByte(ext_csd, kLifeTimeEstTypA),
            .life_time_b = DefinedByte(ext_csd, kLifeTimeEstTypB),
            .pre_eol_info = DefinedByte(ext_csd, kPreEolInfo)};
}

Json::Value VerdictToJson(const Verdict& verdict) {
    Json::Value json;
    json["line"] = verdict.line;
    json["level"] = LevelName(verdict.level);
    json["used_from_pct"] = OrNull(verdict.used_from_pct);
    json["used_to_pct"] = OrNull(verdict.used_to_pct);
    return json;
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
