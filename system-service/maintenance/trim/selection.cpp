// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/selection.h"

#include <android-base/stringprintf.h>
#include <android-base/strings.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tokens.h"
#include "mounts/block_device.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::Split;
using android::base::StringPrintf;

constexpr uint64_t kSanDiskSd = 0x03;
constexpr uint64_t kSanDiskSdOem = 0x5344;  // "SD"
constexpr uint64_t kMicron = 0x13;
constexpr uint64_t kSamsung = 0x15;
constexpr uint64_t kKingston = 0x70;

constexpr uint64_t kAnyFirmware = std::numeric_limits<uint64_t>::max();

struct Quirk {
    std::string_view name;  // "" is every name
    uint64_t manfid;
    // Firmware that is not known may be this one.
    uint64_t up_to_firmware;
    std::string_view harm;
};

constexpr std::string_view kDestroyed = "erase commands are known to destroy it (\"brick bug\")";
constexpr std::string_view kLosesData = "TRIM is known to lose data on it";

// The kernel's drivers/mmc/core/quirks.h (MMC_QUIRK_SEC_ERASE_TRIM_BROKEN, MMC_QUIRK_TRIM_BROKEN)
// and what owners of phones with Samsung's first eMMC 4.41 found by firmware revision.
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

// "0x19", or from 5.0 on all of FIRMWARE_VERSION [254..261]: "0x0700000000000000".
std::optional<uint64_t> Firmware(const FileReader& files, const std::string& path) {
    constexpr size_t kEightBytes = 2 + 16;
    constexpr int kLastSevenBytes = 56;
    android::base::Result<std::string> text = files.ReadAttribute(path);
    std::optional<uint64_t> value = ReadCount(files, path);
    if (value.has_value() && text->size() == kEightBytes) return *value >> kLastSevenBytes;
    return value;
}

// File systems that cannot be written, whatever their mount says.
constexpr std::array<std::string_view, 4> kReadOnlyTypes = {"erofs", "squashfs", "iso9660",
                                                            "cramfs"};

bool IsReadOnly(const Mount& mount) {
    return mount.read_only || std::find(kReadOnlyTypes.begin(), kReadOnlyTypes.end(), mount.type) !=
                                      kReadOnlyTypes.end();
}

bool CannotDiscard(const FileReader& files, dev_t device) {
    for (const char* limit : {"discard_granularity", "discard_max_bytes"}) {
        if (QueueLimit(files, device, limit) == 0U) return true;
    }
    return false;
}

// Why a device that cannot discard cannot.
std::string WhyNoDiscard(const FileReader& files, const Mount& mount) {
    const std::string cannot = "its device " + mount.source + " cannot discard";
    Result<std::string> name = files.ReadAttribute(SysfsOf(mount.device) + "/dm/name");
    if (!name.ok()) return cannot + ": not supported by the card or its driver";
    Result<dev_t> disk = DiskOf(files, mount.device);
    if (!disk.ok() || CannotDiscard(files, *disk))
        return cannot + ": the disk below it cannot either";
    return cannot + ": dm device '" + *name +
           "' does not pass discards on to the disk, as dm-crypt without allow_discards";
}

class Selector {
  public:
    Selector(const TrimRules& rules, const MountTable& table, const FileReader& files)
          : rules_(rules), given_(ExpandGiven(rules.given, table)), table_(table), files_(files) {}

    Selection Select(const std::string& path) {
        if (std::find(given_.begin(), given_.end(), path) == given_.end()) {
            return Refuse(path, TrimOutcome::kNotGiven,
                          "not listed in ro.storekeeper.trim.mounts: " +
                                  android::base::Join(rules_.given, ","));
        }
        const Mount* mount = table_.At(path);
        if (mount == nullptr) return Refuse(path, TrimOutcome::kNotMounted);
        if (rules_.no_trim.count(path) != 0) return Refuse(path, TrimOutcome::kNoTrim);
        if (IsReadOnly(*mount)) return Refuse(path, TrimOutcome::kReadOnly);
        // Major 0 is the kernel's mark of a file system without a block device.
        if (major(mount->device) == 0) {
            return Refuse(path, TrimOutcome::kNoDiscard, mount->type + " has no block device");
        }
        auto first = first_mounts_.find(mount->device);
        if (first != first_mounts_.end()) {
            return Refuse(path, TrimOutcome::kDuplicate,
                          "the same file system is trimmed at " + first->second);
        }
        // FITRIM on a part trims the whole, which nobody gave.
        if (mount->root != "/") {
            return Refuse(path, TrimOutcome::kNotGiven,
                          "mounts only " + mount->root + " of the file system on " + mount->source +
                                  "; name the file system's root mount instead");
        }
        return Judge(path, *mount);
    }

  private:
    static Selection Refuse(const std::string& path, TrimOutcome outcome,
                            const std::string& reason) {
        return {.path = path, .outcome = outcome, .reason = path + ": " + reason, .mount = {}};
    }
    static Selection Refuse(const std::string& path, TrimOutcome outcome) {
        return Refuse(path, outcome, std::string(FactsOf(outcome).meaning));
    }

    // By what it is stored on.
    Selection Judge(const std::string& path, const Mount& mount) {
        Members members = MembersOf(files_, mount);
        std::optional<std::string> quirk;
        for (const dev_t device : members.devices) {
            Result<dev_t> disk = DiskOf(files_, device);
            const dev_t below = disk.ok() ? *disk : device;
            Result<std::string> file = files_.ReadAttribute(SysfsOf(below) + "/loop/backing_file");
            if (file.ok()) {
                return Refuse(path, TrimOutcome::kNoDiscard,
                              "backed by the file " + *file +
                                      ", where discard would only punch holes in the backing file");
            }
            if (!quirk.has_value()) quirk = TrimRefusal(files_, below, rules_.force_quirk);
        }
        // f2fs discards on those of its devices that can.
        if (std::all_of(members.devices.begin(), members.devices.end(),
                        [this](dev_t device) { return CannotDiscard(files_, device); })) {
            return Refuse(path, TrimOutcome::kNoDiscard, WhyNoDiscard(files_, mount));
        }
        if (quirk.has_value()) return Refuse(path, TrimOutcome::kChipQuirk, *quirk);
        first_mounts_.emplace(mount.device, path);
        return {.path = path,
                .outcome = TrimOutcome::kTrimmed,
                .reason = "",
                .mount = mount,
                .members = std::move(members)};
    }

    const TrimRules& rules_;
    const std::vector<std::string> given_;
    const MountTable& table_;
    const FileReader& files_;
    std::map<dev_t, std::string> first_mounts_;
};

bool Has(const std::string& list, std::string_view word) {
    const std::vector<std::string> words = Split(list, ",");
    return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::optional<std::string> FindTrimQuirk(const ChipIdentity& chip) {
    for (const Quirk& quirk : kQuirks) {
        if (Matches(quirk, chip)) return Describe(chip) + ": " + std::string(quirk.harm);
    }
    // Their discard loses data (MMC_QUIRK_BROKEN_SD_DISCARD), which a kernel without the quirk
    // uses.
    if (chip.type == "SD" && chip.manfid == kSanDiskSd && chip.oemid == kSanDiskSdOem) {
        return Describe(chip) + ": " + std::string(kLosesData);
    }
    return std::nullopt;
}

ChipIdentity ReadChip(const FileReader& files, dev_t disk) {
    const std::string device = SysfsOf(disk) + "/device/";
    // A SCSI disk, as a UFS has: no quirk is of one, its `type` is another thing, and the policy
    // keeps it from storekeeperd.
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

std::vector<std::string> ParseMountList(const std::string& list) {
    std::vector<std::string> mounts;
    for (const std::string& entry : android::base::Split(list, ",")) {
        std::string mount = android::base::Trim(entry);
        if (!mount.empty()) mounts.push_back(std::move(mount));
    }
    return mounts;
}

std::string NormalMountPoint(std::string_view path) {
    std::string normal;
    for (const char c : path) {
        if (c != '/' || !normal.ends_with('/')) normal += c;
    }
    if (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
    return normal;
}

std::vector<std::string> ExpandGiven(const std::vector<std::string>& given,
                                     const MountTable& table) {
    std::vector<std::string> mounts;
    for (const std::string& entry : given) {
        if (!android::base::EndsWith(entry, "/*")) {
            mounts.push_back(entry);
            continue;
        }
        const std::string folder = entry.substr(0, entry.size() - 1);
        for (const Mount& mount : table.mounts) {
            const std::string& path = mount.mount_point;
            const bool right_there = android::base::StartsWith(path, folder) &&
                                     path.size() > folder.size() &&
                                     path.find('/', folder.size()) == std::string::npos;
            // One that is mounted over shows up twice.
            if (right_there && table.At(path) == &mount) mounts.push_back(path);
        }
    }
    return mounts;
}

std::vector<Selection> SelectMounts(const std::vector<std::string>& wanted, const TrimRules& rules,
                                    const MountTable& table, const FileReader& files) {
    Selector selector(rules, table, files);
    std::vector<Selection> selections;
    selections.reserve(wanted.size());
    for (const std::string& path : wanted) selections.push_back(selector.Select(path));
    return selections;
}

std::set<std::string> ParseNoTrim(std::string_view fstab) {
    constexpr size_t kMountPoint = 1;
    constexpr size_t kOptions = 3;
    constexpr size_t kFsMgrFlags = 4;
    std::set<std::string> mounts;
    for (const std::string& line : Split(std::string(fstab), "\n")) {
        const std::vector<std::string> fields = Tokenize(line, " \t");
        if (fields.size() <= kOptions || fields[0][0] == '#') continue;
        if (Has(fields[kOptions], "X-fstrim.notrim") ||
            (fields.size() > kFsMgrFlags && Has(fields[kFsMgrFlags], "notrim"))) {
            mounts.insert(fields[kMountPoint]);
        }
    }
    return mounts;
}

// fs_mgr_fstab.cpp: the first fstab.SUFFIX of these folders, for the first of these suffixes.
std::set<std::string> ReadNoTrim(
        const FileReader& files,
        const std::function<std::string(const std::string& property)>& property) {
    for (const char* name :
         {"ro.boot.fstab_suffix", "ro.boot.hardware", "ro.boot.hardware.platform"}) {
        const std::string suffix = property(name);
        if (suffix.empty()) continue;
        for (const char* folder : {"/odm/etc/fstab.", "/vendor/etc/fstab.", "/system/etc/fstab."}) {
            const std::string path = folder + suffix;
            if (files.Exists(path)) return ParseNoTrim(files.ReadText(path).value_or(""));
        }
    }
    return ParseNoTrim(files.ReadText("/etc/fstab").value_or(""));
}

}  // namespace storekeeper
