// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace storekeeper {

// The CID register of an eMMC (JESD84-B51 section 7.2) as sysfs has it, 32 hexadecimal digits, with
// the serial number and the checksum hidden.
android::base::Result<std::string> MaskedCid(std::string_view cid);

// Who makes eMMC with this manufacturer id; "" when it is not known. An id is no proof: brands
// share them.
std::string EmmcMaker(uint64_t manfid);

// Which chip it is, for telling one from another: 16 hexadecimal digits of a hash. Nobody reads the
// serial number off it; whoever tries all of them finds it, as with any hash of so few bits. "" for
// what identifies no chip.

// Of an eMMC, by its CID as sysfs has it: 32 digits, in either case.
std::string ChipId(std::string_view cid);

// Of a UFS, by its string descriptors. Without a serial number it identifies none.
std::string UfsChipId(std::string_view manufacturer, std::string_view product,
                      std::string_view serial);

}  // namespace storekeeper
