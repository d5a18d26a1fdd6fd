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

// The CID register of an eMMC (JESD84-B51 section 7.2), 32 hexadecimal digits as in sysfs, with the
// serial number and the checksum masked.
android::base::Result<std::string> MaskedCid(std::string_view cid);

// The maker that uses this eMMC manufacturer id; "" if unknown. The id is no proof, because brands
// share ids.
std::string EmmcMaker(uint64_t manfid);

// Chip ids distinguish chips: each is a hash of 16 hexadecimal digits. The hash hides the serial
// number from readers, but not from a search through all serial numbers. "" means that the input
// identifies no chip.

// Id of an eMMC by its CID from sysfs: 32 hexadecimal digits in either case.
std::string ChipId(std::string_view cid);

// Id of a UFS by its string descriptors; "" without a serial number.
std::string UfsChipId(std::string_view manufacturer, std::string_view product,
                      std::string_view serial);

// The sysfs directory of the UFS host controller that a disk belongs to. `disk` is the disk's
// directory in sysfs, such as "/sys/block/sda".
android::base::Result<std::string> UfsHostOf(const FileReader& files, const std::string& disk);

// Life time A of a UFS below the host controller's directory, in Samsung's kernels.
inline constexpr char kSamsungLifeTime[] = "host0/scsi_host/host0/lt";

// The kernel's text for a missing string descriptor of a UFS.
inline constexpr std::string_view kNoUfsString = "(null)";

// UfsChipId() of the string descriptors in a host controller's directory.
std::string ReadUfsChipId(const FileReader& files, const std::string& host);

// A chip's identity, the key of all records about it.
struct Chip {
    std::string id;  // 16 hexadecimal digits
    // The firmware version that the chip reports; "" if none. A chip with another version counts as
    // another chip, because its behaviour may differ.
    std::string firmware;

    bool operator==(const Chip&) const = default;
};

// Identifies the chip of a whole disk (see DiskOf()). An eMMC or SD card is identified by its CID,
// a UFS by its string descriptors. A UFS without a serial number is identified by vendor, model and
// size, because it is soldered in. The id equals the health report's, if that has one. A disk
// without any identity is an error.
android::base::Result<Chip> ChipOf(const FileReader& files, dev_t disk);

}  // namespace storekeeper
