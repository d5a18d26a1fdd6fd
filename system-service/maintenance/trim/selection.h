// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
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

// A mount that a run was asked to trim, and whether it may.
struct Selection {
    std::string path;
    TrimOutcome outcome = TrimOutcome::kFailed;  // kTrimmed: it may be trimmed
    std::string reason;                          // one line naming the mount, if it may not
    Mount mount;                                 // valid if it may be trimmed
    Members members;                             // its devices, if it may be trimmed
    bool quarantined = false;                    // its canary has shown that discards do harm

    bool eligible() const { return outcome == TrimOutcome::kTrimmed; }
};

// Why a report-only product trims nothing.
inline constexpr char kReportOnlyText[] = "report only: ro.storekeeper.report_only is true";

// Mount points from a comma-separated list such as ro.storekeeper.trim.mounts. Empty entries and
// spaces around entries are ignored.
std::vector<std::string> ParseMountList(const std::string& list);

// The path as mountinfo has it: no double slash, and none at the end.
std::string NormalMountPoint(std::string_view path);

// Settings of the device's owner.
struct TrimRules {
    // Mounts that may be trimmed. "/mnt/expand/*" stands for all mounts in that folder, as adopted
    // storage has them.
    std::vector<std::string> configured;
    std::set<std::string> no_trim;  // from the fstab, see ParseNoTrim()
    bool force_quirk = false;       // trim chips that trims are known to harm
    bool report_only = false;       // nothing may be trimmed: the product left out the rights
    // PolicyConfig::discard_ms.
    std::chrono::nanoseconds discard_budget = std::chrono::milliseconds(5);
};

// The configured mounts. A pattern is replaced by the mounts that match it.
std::vector<std::string> ExpandConfigured(const std::vector<std::string>& configured,
                                          const MountTable& table);

// Applies, in this order: not report-only, configured, mounted, not forbidden, writable, on a block
// device, first of its superblock, mounted at its root, not in a file, able to discard, harmless to
// the chip. One superblock is one st_dev, however often it is mounted. A mount about which sysfs
// reports nothing is eligible: FITRIM itself decides then.
std::vector<Selection> SelectMounts(const std::vector<std::string>& wanted, const TrimRules& rules,
                                    const MountTable& table, const FileReader& files);

}  // namespace storekeeper
