// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "health/chip_id.h"

#include <algorithm>
#include <cctype>

#include "base/atomic_file.h"
#include "health/cid.h"

namespace storekeeper {

std::string ChipId(std::string_view cid) {
    if (!ParseCid(cid).ok()) return "";
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
