// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_reader.h"
#include "maintenance/trim/receipt.h"
#include "mounts/members.h"
#include "mounts/mountinfo.h"

namespace storekeeper {

// The property of the device's owner that trims such a chip all the same.
inline constexpr char kForceQuirkProperty[] = "ro.storekeeper.trim.force_quirk";

// What a card says of itself in its CID (JESD84 7.2, SD Physical Layer 5.2), absent when unknown.
struct ChipIdentity {
    std::string type;  // "MMC" or "SD"
    std::string name;
    std::optional<uint64_t> manfid;
    std::optional<uint64_t> oemid;
    // Of eMMC 5.0 the first of its 8 bytes.
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

// What became of one wanted mount before any trim.
struct Selection {
    std::string path;
    TrimOutcome outcome = TrimOutcome::kFailed;  // kTrimmed: it may be trimmed
    std::string reason;                          // one line naming the mount, when it may not
    Mount mount;                                 // valid when it may be trimmed
    Members members;                             // its devices, then
    bool quarantined = false;                    // its canary has shown that discards do harm

    bool eligible() const { return outcome == TrimOutcome::kTrimmed; }
};

// Mount points from a comma-separated list such as ro.storekeeper.trim.mounts; empty entries and
// spaces around them do not count.
std::vector<std::string> ParseMountList(const std::string& list);

// The same path as mountinfo has it: no slash twice, none at the end.
std::string NormalMountPoint(std::string_view path);

// What the owner of the device has said.
struct TrimRules {
    // The mounts that may be trimmed. "/mnt/expand/*" gives all that are mounted right there, as
    // adopted storage is.
    std::vector<std::string> given;
    std::set<std::string> no_trim;  // the fstab's, see ParseNoTrim()
    bool force_quirk = false;       // trim chips that it is known to harm
    // What a discard may take (DiscardTerms), and in a run that hurries.
    std::chrono::nanoseconds discard_budget = std::chrono::milliseconds(5);
    std::chrono::nanoseconds hurried_discard_budget = std::chrono::milliseconds(8);
};

// The given mounts, with patterns replaced by what is mounted.
std::vector<std::string> ExpandGiven(const std::vector<std::string>& given,
                                     const MountTable& table);

// Applies, in this order: given, mounted, not forbidden, writable, on a block device, first of its
// superblock, mounted at its root, not in a file, able to discard, harmless to the chip. One
// superblock is one st_dev, however often it is mounted. What sysfs does not report leaves the
// mount eligible: FITRIM itself decides then.
std::vector<Selection> SelectMounts(const std::vector<std::string>& wanted, const TrimRules& rules,
                                    const MountTable& table, const FileReader& files);

// The mount points that a fstab does not want trimmed: with the flag `notrim` of Android's fs_mgr
// (fifth field), or the mount option `X-fstrim.notrim` of util-linux (fourth).
std::set<std::string> ParseNoTrim(std::string_view fstab);

// Of the fstab this device was booted with, found as fs_mgr finds it. Empty without one.
std::set<std::string> ReadNoTrim(
        const FileReader& files,
        const std::function<std::string(const std::string& property)>& property);

}  // namespace storekeeper
