// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/canary/chip_quirks.h"

#include <android-base/stringprintf.h>

#include <array>
#include <limits>
#include <string_view>

#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::StringPrintf;

constexpr uint64_t kSanDiskSd = 0x03;
constexpr uint64_t kSanDiskSdOem = 0x5344;  // "SD"
constexpr uint64_t kMicron = 0x13;
constexpr uint64_t kSamsung = 0x15;
constexpr uint64_t kKingston = 0x70;

constexpr uint64_t kAnyFirmware = std::numeric_limits<uint64_t>::max();

struct Quirk {
    std::string_view name;  // "" matches every name
    uint64_t manfid;
    // The newest firmware with the fault. Unknown firmware counts as faulty.
    uint64_t up_to_firmware;
    std::string_view harm;
};

constexpr std::string_view kDestroyed = "erase commands are known to destroy it (\"brick bug\")";
constexpr std::string_view kLosesData = "TRIM is known to lose data on it";

// Chips of the kernel's drivers/mmc/core/quirks.h (MMC_QUIRK_SEC_ERASE_TRIM_BROKEN,
// MMC_QUIRK_TRIM_BROKEN), with the firmware revisions that owners of phones with Samsung's first
// eMMC 4.41 reported.
constexpr std::array kQuirks = {
        Quirk{"KYL00M", kSamsung, 0x25, kDestroyed},
        Quirk{"MAG4FA", kSamsung, 0x25, kDestroyed},
        Quirk{"VAL00M", kSamsung, 0x25, kDestroyed},
        Quirk{"VYL00M", kSamsung, 0x25, kDestroyed},
        Quirk{"VZL00M", kSamsung, 0x25, kDestroyed},
        Quirk{"M8G2FA", kSamsung, kAnyFirmware, kDestroyed},
        Quirk{"MAG2GA", kSamsung, kAnyFirmware, kDestroyed},
        Quirk{"MBG8FA", kSamsung, kAnyFirmware, kDestroyed},
        Quirk{"MCGAFA", kSamsung, kAnyFirmware, kDestroyed},
        Quirk{"V10008", kKingston, kAnyFirmware, kLosesData},
        Quirk{"V10016", kKingston, kAnyFirmware, kLosesData},
        Quirk{"M62704", kKingston, kAnyFirmware, kLosesData},
        Quirk{"Q2J54A", kMicron, kAnyFirmware, kLosesData},
};

bool Matches(const Quirk& quirk, const ChipIdentity& chip) {
    return chip.type == "MMC" && chip.name == quirk.name &&
           chip.manfid.value_or(quirk.manfid) == quirk.manfid &&
           chip.firmware.value_or(0) <= quirk.up_to_firmware;
}

std::string Describe(const ChipIdentity& chip) {
    std::string text = chip.type + " chip " + chip.name;
    if (chip.manfid.has_value()) {
        text += StringPrintf(", manfid 0x%02llx", static_cast<unsigned long long>(*chip.manfid));
    }
    return text + (chip.firmware.has_value()
                           ? StringPrintf(", firmware 0x%02llx",
                                          static_cast<unsigned long long>(*chip.firmware))
                           : ", firmware not reported");
}

// Parses "0x19", or, from eMMC 5.0 on, all 8 bytes of FIRMWARE_VERSION [254..261]:
// "0x0700000000000000".
std::optional<uint64_t> Firmware(const FileReader& files, const std::string& path) {
    constexpr size_t kEightBytes = 2 + 16;
    constexpr int kLastSevenBytes = 56;
    android::base::Result<std::string> text = files.ReadAttribute(path);
    std::optional<uint64_t> value = ReadCount(files, path);
    if (value.has_value() && text->size() == kEightBytes) return *value >> kLastSevenBytes;
    return value;
}

}  // namespace

std::optional<std::string> FindTrimQuirk(const ChipIdentity& chip) {
    for (const Quirk& quirk : kQuirks) {
        if (Matches(quirk, chip)) return Describe(chip) + ": " + std::string(quirk.harm);
    }
    // SanDisk's SD cards lose data by a discard (MMC_QUIRK_BROKEN_SD_DISCARD), which a kernel
    // without the quirk uses.
    if (chip.type == "SD" && chip.manfid == kSanDiskSd && chip.oemid == kSanDiskSdOem) {
        return Describe(chip) + ": " + std::string(kLosesData);
    }
    return std::nullopt;
}

ChipIdentity ReadChip(const FileReader& files, dev_t disk) {
    const std::string device = SysfsOf(disk) + "/device/";
    // A SCSI disk, such as a UFS. It has no quirks, its `type` has another meaning, and the policy
    // denies access to it.
    if (files.Exists(device + "scsi_level")) return {};
    return {.type = files.ReadAttribute(device + "type").value_or(""),
            .name = files.ReadAttribute(device + "name").value_or(""),
            .manfid = ReadCount(files, device + "manfid"),
            .oemid = ReadCount(files, device + "oemid"),
            .firmware = Firmware(files, device + "fwrev")};
}

std::optional<std::string> TrimRefusal(const FileReader& files, dev_t disk, bool forced) {
    if (forced) return std::nullopt;
    std::optional<std::string> quirk = FindTrimQuirk(ReadChip(files, disk));
    if (quirk.has_value())
        *quirk += std::string("; ") + kForceQuirkProperty + "=true overrides this";
    return quirk;
}

}  // namespace storekeeper
