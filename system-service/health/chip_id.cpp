// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/chip_id.h"

#include <android-base/hex.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "health/cid.h"

namespace storekeeper {
namespace {

constexpr size_t kIdBytes = 8;

std::string IdOf(const std::string& text) {
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const uint8_t*>(text.data()), text.size(), digest);
    return android::base::HexString(digest, kIdBytes);
}

}  // namespace

std::string ChipId(std::string_view cid) {
    if (!ParseCid(cid).ok()) return "";
    std::string lower(cid);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return IdOf("emmc " + lower);
}

std::string UfsChipId(std::string_view manufacturer, std::string_view product,
                      std::string_view serial) {
    if (serial.empty()) return "";
    // No string descriptor holds a newline: FileReader takes one line.
    std::string text = "ufs ";
    for (std::string_view part : {manufacturer, product, serial}) text.append(part).append("\n");
    return IdOf(text);
}

}  // namespace storekeeper
