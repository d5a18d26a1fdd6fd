// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/file_reader.h"

namespace storekeeper {

// The property by which the device's owner permits trims of such chips.
inline constexpr char kForceQuirkProperty[] = "ro.storekeeper.trim.force_quirk";

// Fields of a card's CID (JESD84 7.2, SD Physical Layer 5.2), absent if unknown.
struct ChipIdentity {
    std::string type;  // "MMC" or "SD"
    std::string name;
    std::optional<uint64_t> manfid;
    std::optional<uint64_t> oemid;
    // The first byte; eMMC 5.0 has 8.
    std::optional<uint64_t> firmware;
};

// Why this chip must not be trimmed: erase commands are known to destroy it, or to lose data. One
// sentence that names the chip. The kernel's own list (drivers/mmc/core/quirks.h) came years after
// the chips, so kernels in the field lack it.
std::optional<std::string> FindTrimQuirk(const ChipIdentity& chip);

// Reads the `device` directory of a disk's sysfs. Empty for disks that are no MMC or SD card.
ChipIdentity ReadChip(const FileReader& files, dev_t disk);

// Why nothing on this disk may be trimmed, with the property that overrides it. Absent if it may be
// trimmed.
std::optional<std::string> TrimRefusal(const FileReader& files, dev_t disk, bool forced);

}  // namespace storekeeper
