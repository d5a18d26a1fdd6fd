// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/file_reader.h"

namespace storekeeper {

// The property of the device's owner that trims such a chip all the same.
inline constexpr char kForceQuirkProperty[] = "ro.storekeeper.trim.force_quirk";

// Fields of a card's CID (JESD84 7.2, SD Physical Layer 5.2), absent when unknown.
struct ChipIdentity {
    std::string type;  // "MMC" or "SD"
    std::string name;
    std::optional<uint64_t> manfid;
    std::optional<uint64_t> oemid;
    // eMMC 5.0 has 8 bytes; this is the first.
    std::optional<uint64_t> firmware;
};

// Why this chip must not be trimmed: it is known to die of erase commands, or to lose data. One
// sentence that names it. The kernel's own list (drivers/mmc/core/quirks.h) came years after the
// chips: kernels in the field lack it.
std::optional<std::string> FindTrimQuirk(const ChipIdentity& chip);

// From the `device` directory of a disk's sysfs; nothing is known of what is no MMC or SD card.
ChipIdentity ReadChip(const FileReader& files, dev_t disk);

// Why nothing on this disk may be trimmed, with what would override it; absent when it may be.
std::optional<std::string> TrimRefusal(const FileReader& files, dev_t disk, bool forced);

}  // namespace storekeeper
