// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/chip_id.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/atomic_file.h"
#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr size_t kDigits = 32;
constexpr size_t kSerial = 20;  // PSN, bytes 10 to 13
constexpr size_t kSerialDigits = 8;
constexpr size_t kChecksum = 30;  // CRC7 and a bit that is always 1, byte 15

// drivers/mmc/core/card.h and quirks.h of the kernel, and mmc-utils' table for those it lacks.
constexpr std::pair<uint8_t, std::string_view> kMakers[] = {
        {0x02, "SanDisk"},  {0x11, "Toshiba/Kioxia"}, {0x13, "Micron"},
        {0x15, "Samsung"},  {0x2c, "Kingston"},       {0x37, "KingMax"},
        {0x44, "ATP"},      {0x45, "SanDisk"},        {0x70, "Kingston"},
        {0x90, "SK Hynix"}, {0xfe, "Numonyx/Micron"},
};

}  // namespace

Result<std::string> MaskedCid(std::string_view cid) {
    if (!std::all_of(cid.begin(), cid.end(), [](char c) { return HexDigit(c).has_value(); })) {
        return Error() << "it is not a CID: not hexadecimal";
    }
    if (cid.size() != kDigits) return Error() << "it is not a CID of 32 digits";
    std::string masked(cid);
    masked.replace(kSerial, kSerialDigits, kSerialDigits, '*');
    masked.replace(kChecksum, 2, 2, '*');
    return masked;
}

std::string EmmcMaker(uint64_t manfid) {
    for (const auto& [maker, name] : kMakers) {
        if (maker == manfid) return std::string(name);
    }
    return "";
}

std::string ChipId(std::string_view cid) {
    if (!MaskedCid(cid).ok()) return "";
    std::string lower(cid);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return Fnv1aHex("emmc " + lower);
}

std::string UfsChipId(std::string_view manufacturer, std::string_view product,
                      std::string_view serial) {
    if (serial.empty()) return "";
    // No string descriptor holds a newline: FileReader takes one line.
    std::string text = "ufs ";
    for (std::string_view part : {manufacturer, product, serial}) text.append(part).append("\n");
    return Fnv1aHex(text);
}

}  // namespace storekeeper
