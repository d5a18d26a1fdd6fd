// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "maintenance/trim/selection.h"

#include <android-base/strings.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tokens.h"
#include "maintenance/canary/chip_quirks.h"
#include "mounts/block_device.h"
#include "mounts/mount_audit.h"

namespace storekeeper {
namespace {

using android::base::Result;

// Why the mount's device cannot discard.
std::string WhyNoDiscard(const FileReader& files, const Mount& mount) {
    const std::string cannot = "its device " + mount.source + " cannot discard";
    Result<std::string> name = files.ReadAttribute(SysfsOf(mount.device) + "/dm/name");
    if (!name.ok()) return cannot + ": not supported by the card or its driver";
    Result<dev_t> disk = DiskOf(files, mount.device);
    if (!disk.ok() || TakesDiscards(files, {*disk}) == false) {
        return cannot + ": the disk below it cannot either";
    }
    return cannot + ": dm device '" + *name +
           "' does not pass discards on to the disk, as dm-crypt without allow_discards";
}

class Selector {
  public:
    Selector(const TrimRules& rules, const MountTable& table, const FileReader& files)
          : rules_(rules), table_(table), files_(files) {
        for (std::string& path : ExpandConfigured(rules.configured, table)) {
            configured_.insert(std::move(path));
        }
    }

    Selection Select(const std::string& path) {
        if (rules_.report_only) return Refuse(path, TrimOutcome::kNotPermitted, kReportOnlyText);
        if (configured_.count(path) == 0) {
            return Refuse(path, TrimOutcome::kNotGiven,
                          "not listed in ro.storekeeper.trim.mounts: " +
                                  android::base::Join(rules_.configured, ","));
        }
        const Mount* mount = table_.FindVisible(path);
        if (mount == nullptr) return Refuse(path, TrimOutcome::kNotMounted);
        if (rules_.no_trim.count(path) != 0) return Refuse(path, TrimOutcome::kNoTrim);
        if (mount->read_only) return Refuse(path, TrimOutcome::kReadOnly);
        // The kernel gives major 0 to file systems without a block device.
        if (major(mount->device) == 0) {
            return Refuse(path, TrimOutcome::kNoDiscard, mount->type + " has no block device");
        }
        auto first = first_mounts_.find(mount->device);
        if (first != first_mounts_.end()) {
            return Refuse(path, TrimOutcome::kDuplicate,
                          "the same file system is trimmed at " + first->second);
        }
        // FITRIM on a folder's mount trims the whole file system, which is not configured.
        if (mount->root != "/") {
            return Refuse(path, TrimOutcome::kNotGiven,
                          "mounts only the folder " + mount->root + " of the file system on " +
                                  mount->source + ", whose root is mounted " + RootOf(*mount));
        }
        return SelectByDevices(path, *mount);
    }

  private:
    // The mount point of the whole file system, as an advice for the message.
    std::string RootOf(const Mount& folder) const {
        for (const Mount& mount : table_.mounts) {
            if (mount.device == folder.device && mount.root == "/" &&
                table_.FindVisible(mount.mount_point) == &mount) {
                return "on " + mount.mount_point + ": name that instead";
            }
        }
        return "nowhere: a trim acts on a whole file system, so nothing can trim it";
    }
    static Selection Refuse(const std::string& path, TrimOutcome outcome,
                            const std::string& reason) {
        return {.path = path, .outcome = outcome, .reason = path + ": " + reason, .mount = {}};
    }
    static Selection Refuse(const std::string& path, TrimOutcome outcome) {
        return Refuse(path, outcome, std::string(OutcomeFactsOf(outcome).meaning));
    }

    // Decides by the devices of the mount.
    Selection SelectByDevices(const std::string& path, const Mount& mount) {
        Members members = MembersOf(files_, mount);
        std::optional<std::string> quirk;
        for (const dev_t device : members.devices) {
            Result<dev_t> disk = DiskOf(files_, device);
            const dev_t below = disk.ok() ? *disk : device;
            // The policy permits a look for the file's name, not to read it.
            if (files_.Exists(SysfsOf(below) + "/loop/backing_file")) {
                return Refuse(path, TrimOutcome::kNoDiscard,
                              "backed by a file, in which a discard would only punch holes");
            }
            if (!quirk.has_value()) quirk = TrimRefusal(files_, below, rules_.force_quirk);
        }
        // f2fs discards on those of its devices that support it.
        if (TakesDiscards(files_, members.devices) == false) {
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
    std::set<std::string> configured_;
    const MountTable& table_;
    const FileReader& files_;
    std::map<dev_t, std::string> first_mounts_;
};

}  // namespace

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

std::vector<std::string> ExpandConfigured(const std::vector<std::string>& configured,
                                          const MountTable& table) {
    std::vector<std::string> mounts;
    for (const std::string& entry : configured) {
        if (!android::base::EndsWith(entry, "/*")) {
            mounts.push_back(entry);
            continue;
        }
        for (const Mount& mount : table.mounts) {
            const std::string& path = mount.mount_point;
            // A mount that another one covers is listed twice.
            if (CoversMount(entry, path) && table.FindVisible(path) == &mount) {
                mounts.push_back(path);
            }
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

}  // namespace storekeeper
