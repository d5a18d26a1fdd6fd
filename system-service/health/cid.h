// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace storekeeper {

// What the CID register of an eMMC reports (JESD84-B51 section 7.2), without the serial number.
struct Cid {
    uint8_t manfid = 0;        // MID, byte 0
    uint8_t package = 0;       // CBX, byte 1: 0 card, 1 BGA, 2 package on package
    uint8_t oemid = 0;         // OID, byte 2
    std::string name;          // PNM, bytes 3 to 8; what is not printable is '?'
    uint8_t revision = 0;      // PRV, byte 9: two digits, "1.2" is 0x12
    int month = 0;             // MDT, byte 14: 1 to 12, 0 when it is not reported
    int year_code = 0;         // MDT: 0 is 1997 or 2013, by the revision of the standard
    bool crc_matches = false;  // CRC7, byte 15
    std::string masked;        // the register in hexadecimal, serial number and checksum hidden
};

// The text of sysfs `cid`: 32 hexadecimal digits.
android::base::Result<Cid> ParseCid(std::string_view text);

// Who makes eMMC with this manufacturer id; "" when it is not known. An id is no proof: brands
// share them.
std::string_view EmmcMaker(uint64_t manfid);

}  // namespace storekeeper
