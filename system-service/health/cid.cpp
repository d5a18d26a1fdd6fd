// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/cid.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>

#include "base/tokens.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr size_t kBytes = 16;
constexpr size_t kSerial = 10;  // PSN, 4 bytes
constexpr size_t kSerialBytes = 4;
constexpr size_t kChecksum = 15;  // CRC7 and a bit that is always 1

struct Maker {
    uint8_t manfid;
    std::string_view name;
};

// drivers/mmc/core/card.h and quirks.h of the kernel, and mmc-utils' table for those it lacks.
constexpr std::array kMakers = {
        Maker{0x02, "SanDisk"},  Maker{0x11, "Toshiba/Kioxia"}, Maker{0x13, "Micron"},
        Maker{0x15, "Samsung"},  Maker{0x2c, "Kingston"},       Maker{0x37, "KingMax"},
        Maker{0x44, "ATP"},      Maker{0x45, "SanDisk"},        Maker{0x70, "Kingston"},
        Maker{0x90, "SK Hynix"}, Maker{0xfe, "Numonyx/Micron"},
};

// CRC7 of JESD84-B51 section 8.2: x^7 + x^3 + 1, the first bit sent first.
uint8_t Crc7(std::span<const uint8_t> bytes) {
    constexpr uint8_t kPolynomial = 0x09;
    uint8_t crc = 0;
    for (uint8_t byte : bytes) {
        for (int bit = 7; bit >= 0; --bit) {
            const bool carry = ((crc >> 6 ^ byte >> bit) & 1) != 0;
            crc = static_cast<uint8_t>(crc << 1 & 0x7f);
            if (carry) crc ^= kPolynomial;
        }
    }
    return crc;
}

// "VEMMC1" of six bytes; what ends with zeros or spaces ends there.
std::string NameOf(std::span<const uint8_t> bytes) {
    std::string name;
    for (uint8_t byte : bytes) {
        name += std::isprint(byte) != 0 ? static_cast<char>(byte) : byte == 0 ? ' ' : '?';
    }
    name.erase(name.find_last_not_of(' ') + 1);
    return name;
}

}  // namespace

Result<Cid> ParseCid(std::string_view text) {
    std::array<uint8_t, kBytes> bytes = {};
    for (size_t i = 0; i < text.size() && i < 2 * kBytes; ++i) {
        std::optional<uint8_t> digit = HexDigit(text[i]);
        if (!digit.has_value()) return Error() << "it is not a CID: not hexadecimal";
        bytes[i / 2] = static_cast<uint8_t>(bytes[i / 2] << 4 | *digit);
    }
    if (text.size() != 2 * kBytes) return Error() << "it is not a CID of 32 digits";
    Cid cid;
    cid.manfid = bytes[0];
    cid.package = bytes[1] & 0x3;
    cid.oemid = bytes[2];
    cid.name = NameOf(std::span(bytes).subspan(3, 6));
    cid.revision = bytes[9];
    const uint8_t date = bytes[14];
    cid.month = date >> 4 <= 12 ? date >> 4 : 0;
    cid.year_code = date & 0xf;
    cid.crc_matches = Crc7(std::span(bytes).first(kChecksum)) == bytes[kChecksum] >> 1;
    cid.masked = text;
    cid.masked.replace(2 * kSerial, 2 * kSerialBytes, 2 * kSerialBytes, '*');
    cid.masked.replace(2 * kChecksum, 2, 2, '*');
    return cid;
}

std::string_view EmmcMaker(uint64_t manfid) {
    auto found = std::find_if(kMakers.begin(), kMakers.end(),
                              [&](const Maker& maker) { return maker.manfid == manfid; });
    return found == kMakers.end() ? "" : found->name;
}

}  // namespace storekeeper
