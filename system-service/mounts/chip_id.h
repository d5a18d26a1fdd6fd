// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file_reader.h"

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

// The directory of the host controller of the UFS that a disk is a logical unit of. `disk` is the
// disk's directory in sysfs, such as "/sys/block/sda".
android::base::Result<std::string> UfsHostOf(const FileReader& files, const std::string& disk);

// What the kernel prints where a UFS has no such string descriptor.
inline constexpr std::string_view kNoUfsString = "(null)";

// UfsChipId() of the string descriptors in a host controller's directory.
std::string ReadUfsChipId(const FileReader& files, const std::string& host);

// A chip, for what is remembered of it.
struct Chip {
    std::string id;  // 16 hexadecimal digits
    // As the chip reports its version; "" when it does not. Another one makes another chip of it as
    // far as its behaviour goes.
    std::string firmware;

    bool operator==(const Chip&) const = default;
};

// The chip that a whole disk (see DiskOf()) is: an eMMC or SD card by its CID, a UFS by its string
// descriptors, or, without a serial number there, by vendor, model and size, for a UFS is not
// exchanged. The same id as the health report's where that has one. An error where the disk has no
// identity.
android::base::Result<Chip> ChipOf(const FileReader& files, dev_t disk);

}  // namespace storekeeper
