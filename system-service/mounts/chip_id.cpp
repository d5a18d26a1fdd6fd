// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "mounts/chip_id.h"

#include <android-base/file.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/atomic_file.h"
#include "base/tokens.h"
#include "base/try.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

constexpr size_t kDigits = 32;
constexpr size_t kSerial = 20;  // PSN, bytes 10 to 13
constexpr size_t kSerialDigits = 8;
constexpr size_t kChecksum = 30;  // CRC7 and a bit that is always 1, byte 15

// Sources: drivers/mmc/core/card.h and quirks.h of the kernel, and mmc-utils' table for the others.
constexpr std::pair<uint8_t, std::string_view> kMakers[] = {
        {0x02, "SanDisk"},  {0x11, "Toshiba/Kioxia"}, {0x13, "Micron"},
        {0x15, "Samsung"},  {0x2c, "Kingston"},       {0x37, "KingMax"},
        {0x44, "ATP"},      {0x45, "SanDisk"},        {0x70, "Kingston"},
        {0x90, "SK Hynix"}, {0xfe, "Numonyx/Micron"},
};

// The host controller is above its SCSI host, target and logical unit; a wrapping controller may
// lie between.
constexpr int kMaxLevels = 6;

// Names that only a UFS host controller's directory has: mainline's, and those of older vendor
// kernels. Kernels without ufs-sysfs.c (before Linux 4.17) have rpm_lvl of ufshcd.c alone, and
// Samsung's of 3.18 and 4.4 have only files of the SCSI host, of which no other driver has `lt`.
// Looking for a file needs no permission to read it.
constexpr const char* kHostHas[] = {"string_descriptors", "health_descriptor", "health/eol",
                                    "rpm_lvl", kSamsungLifeTime};

Chip UfsChip(const FileReader& files, const std::string& disk, const std::string& host) {
    const auto text = [&](const std::string& path) {
        return files.ReadAttribute(path).value_or("");
    };
    Chip chip{.id = ReadUfsChipId(files, host),
              .firmware = text(host + "/string_descriptors/product_revision")};
    if (chip.firmware.empty()) chip.firmware = text(disk + "/device/rev");
    // The files below are read only if needed, because the policy denies them to storekeeperd.
    if (!chip.id.empty()) return chip;
    const std::string model = text(disk + "/device/model");
    if (!model.empty()) {
        chip.id = Fnv1aHex("ufs model " + text(disk + "/device/vendor") + "\n" + model + "\n" +
                           text(disk + "/size"));
    }
    return chip;
}

}  // namespace

Result<std::string> MaskedCid(std::string_view cid) {
    if (!std::all_of(cid.begin(), cid.end(), [](char c) { return HexDigit(c).has_value(); })) {
        return Error() << "it is not a CID: not hexadecimal";
    }
    if (cid.size() != kDigits) return Error() << "it is not a CID of 32 digits";
    std::string masked(cid);
    masked.replace(kSerial, kSerialDigits, kSerialDigits, '*');
    masked.replace(kChecksum, 2, 2, '*');
    return masked;
}

std::string EmmcMaker(uint64_t manfid) {
    for (const auto& [maker, name] : kMakers) {
        if (maker == manfid) return std::string(name);
    }
    return "";
}

std::string ChipId(std::string_view cid) {
    if (!MaskedCid(cid).ok()) return "";
    std::string lower(cid);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return Fnv1aHex("emmc " + lower);
}

std::string UfsChipId(std::string_view manufacturer, std::string_view product,
                      std::string_view serial) {
    if (serial.empty()) return "";
    // A newline is a safe separator: FileReader returns one line, so no descriptor contains one.
    std::string text = "ufs ";
    for (std::string_view part : {manufacturer, product, serial}) text.append(part).append("\n");
    return Fnv1aHex(text);
}

Result<std::string> UfsHostOf(const FileReader& files, const std::string& disk) {
    std::string directory = disk + "/device";
    for (int level = 0; level < kMaxLevels; ++level) {
        directory += "/..";
        for (const char* name : kHostHas) {
            if (files.Exists(directory + "/" + name)) return directory;
        }
        // A vendor's kernel: the host's own directory contains host0 beside the file `health`.
        if (files.Exists(directory + "/health") && files.Exists(directory + "/host0")) {
            return directory;
        }
    }
    return Error() << android::base::Basename(disk)
                   << " is not a UFS: no UFS host controller above " << disk << "/device";
}

std::string ReadUfsChipId(const FileReader& files, const std::string& host) {
    const auto text = [&](const char* name) {
        return files.ReadAttribute(host + "/string_descriptors/" + name).value_or("");
    };
    const std::string serial = text("serial_number");
    return UfsChipId(text("manufacturer_name"), text("product_name"),
                     serial == kNoUfsString ? "" : serial);
}

Result<Chip> ChipOf(const FileReader& files, dev_t disk) {
    const std::string node = SysfsOf(disk);
    const std::string card = node + "/device/";
    Chip chip{.id = ChipId(files.ReadAttribute(card + "cid").value_or("")),
              .firmware = files.ReadAttribute(card + "fwrev").value_or("")};
    if (!chip.id.empty()) return chip;
    if (Result<std::string> host = UfsHostOf(files, node); host.ok()) {
        chip = UfsChip(files, node, *host);
        if (!chip.id.empty()) return chip;
    }
    return Error()
           << NameOf(files, disk).value_or(NumberText(disk))
           << " has no identity: neither a CID of an eMMC or SD card nor the model of a UFS";
}

}  // namespace storekeeper
